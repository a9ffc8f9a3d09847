import { createServer, type ServerResponse } from 'node:http';

// Webhook receivers at the least cost: every request is answered 200, save that /hang never answers and /drip never ends. A
// process of its own, so that what it costs is seen apart from the service.
const [first, count] = process.argv.slice(2).map(Number) as [number, number];
let received = 0;
let open = count;
for (let n = 0; n < count; n++) {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      received++;
      if (request.url === '/drip') drip(response);
      else if (request.url !== '/hang') response.end();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(first + n, '127.0.0.1', () => --open === 0 && process.send?.('ready'));
}
process.on('message', () => process.send?.(received));

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 500);
  response.on('close', () => clearInterval(timer));
}
