/** URLs that are not of the public internet, by how they hide it. Each is refused before any look-up of a name. */
export const refusedUrls: Record<string, string[]> = {
  'loopback in numbers of every base and length': hosts(`
    127.0.0.1 127.0.0.1:8443 127.255.255.254 127.1 127.0.1 2130706433 0x7f000001 0x7f.0.0.1 0x7f.1 0X7F.0X0.0X0.0X1
    017700000001 0177.0.0.1 0177.0.0.01 0177.1 0000000177.0.0.1 127.0.0.1. 127.0x0.0.01`),
  'loopback in digits and dots of other scripts': hosts(`
    ①②⑦.⓪.⓪.① １２７.０.０.１ 127。0。0。1 127．0．0．1 127｡0｡0｡1 𝟏𝟐𝟕.𝟎.𝟎.𝟏`),
  'loopback in percent-encoding': hosts(`
    %31%32%37.0.0.1 127%2E0%2E0%2E1 %6c%6f%63%61%6c%68%6f%73%74`),
  'names of the machine and its neighbours': hosts(`
    localhost LOCALHOST ｌｏｃａｌｈｏｓｔ ⓛⓞⓒⓐⓛⓗⓞⓢⓣ localhost. a.localhost localhost.localdomain printer.local db.internal
    router.home.arpa intranet kubernetes.default.svc kubernetes.default.svc.cluster.local`),
  'metadata of clouds': [
    'https://169.254.169.254/latest/meta-data/',
    'https://169.254.170.2/',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://169.254.43518/',
    'https://[fd00:ec2::254]/',
    'https://100.100.100.200/',
    'https://168.63.129.16/',
    'https://192.0.0.192/',
    'https://metadata.google.internal/',
    'https://metadata.goog/',
    'https://metadata/',
    'https://instance-data/',
  ],
  'IPv4 ranges that are not public': hosts(`
    0.0.0.0 0 0.1.2.3 10.0.0.1 10.255.255.255 012.0.0.1 100.64.0.1 100.127.255.255 169.254.0.1 172.16.0.1
    172.31.255.255 192.168.0.1 3232235777 192.0.0.8 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295`),
  'IPv6 ranges that are not public': hosts(`
    [::] [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [fe80::1] [febf::1] [fec0::1] [fc00::1]
    [fdff::1] [ff02::1] [ff0e::1] [100::1] [2001:2::1] [2001:10::1] [2001:20::1] [2001:db8::1] [3fff::1] [5f00::1]
    [4000::1]`),
  'IPv4 within IPv6': hosts(`
    [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:169.254.169.254] [0:0:0:0:0:ffff:10.0.0.1] [::127.0.0.1] [::7f00:1]
    [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b:1::10.0.0.1] [2002:7f00:1::]
    [2002:a9fe:a9fe::1] [2001:0:7f00:1::1] [2001::f5ff:fffe] [2606:4700::5efe:7f00:1] [2606:4700::200:5efe:10.0.0.1]
    [fe80::5efe:127.0.0.1]`),
  'zones and other hosts that are none': [
    'https://[fe80::1%25eth0]/',
    'https://[::1%lo]/',
    'https://[::1]%25lo/',
    'https://[127.0.0.1]/',
    'https://256.256.256.256/',
    'https://1.2.3.4.5/',
    'https://127.0.0.1.0x1/',
    'https:///',
    'https://./',
    'https://../',
    'https://example.com./',
    'https://a..example.com/',
    `https://${'a'.repeat(64)}.example.com/`,
    `https://${'a.'.repeat(127)}example.com/`,
    'https://exa$mple.com/',
    'https://xn--a/',
  ],
  'users, passwords and what only looks like a host': [
    'https://user@receiver.example/',
    'https://user:password@receiver.example/',
    'https://receiver.example@127.0.0.1/',
    'https://receiver.example%40127.0.0.1/',
    'https://@receiver.example/',
    'https://:@receiver.example/',
    'https://127.0.0.1#@receiver.example/',
    'https://127.0.0.1?@receiver.example/',
    'https://127.0.0.1\\@receiver.example/',
    'https://receiver.example\\@127.0.0.1/',
    'https:user@receiver.example/',
  ],
  'spaces and control characters': [
    ' https://receiver.example/',
    'https://receiver.example/ ',
    'https://receiver.example/a b',
    'https://receiver.example/\r\nX-Injected: 1',
    'https://receiver.example/\t',
    'https://receiver\n.example/',
    'https://receiver.example/\u0000',
    'https://receiver\u00ad.example/',
  ],
  'other schemes and shapes': [
    'http://receiver.example/',
    'HTTP://receiver.example/',
    'ftp://receiver.example/',
    'file:///etc/passwd',
    'gopher://receiver.example/',
    'data:text/plain,a',
    'blob:https://receiver.example/a',
    'javascript:alert(1)',
    'wss://receiver.example/',
    'unix:/run/docker.sock',
    '//receiver.example/',
    '/receiver',
    'receiver.example',
    '',
    `https://receiver.example/${'a'.repeat(2048)}`,
  ],
  ports: hosts(`
    receiver.example:0 receiver.example:22 receiver.example:25 receiver.example:80 receiver.example:6000
    receiver.example:6667 receiver.example:65536 receiver.example:-1`),
};

function hosts(text: string): string[] {
  return text
    .trim()
    .split(/\s+/)
    .map((host) => `https://${host}/`);
}

/** Refused nowhere; where names do not resolve yet, that is found out by each call. */
export const acceptedUrls = [
  'https://receiver.example/',
  'https://receiver.example',
  'HTTPS://Receiver.Example/hooks?token=%20a#fragment',
  'https://receiver.example:443/',
  'https://receiver.example:8443/',
  'https://receiver.example:3000/a//b/../c',
  'https://receiver.example/@user',
  'https://receiver.example/?to=user@receiver.example',
  'https://under_score.receiver.example/',
  'https://xn--bcher-kva.example/',
  'https://xn--4gbrim.example/',
  'https://1.1.1.1/',
  'https://16843009/',
  'https://172.15.255.255/',
  'https://172.32.0.1/',
  'https://100.128.0.1/',
  'https://[2606:4700:4700::1111]/',
  'https://[2a00:1450:4001:810::200e]:8443/',
];
