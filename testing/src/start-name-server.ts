import { createSocket } from 'node:dgram';
import { isIPv6 } from 'node:net';
import { cleanUp } from './cleanup.ts';
import { onceWithin } from './once-within.ts';

export interface DnsQuestion {
  name: string;
  type: 'A' | 'AAAA';
}

/** What a name server says: addresses of the asked type, `'unknown'` for no such name, `'silence'` for nothing at all. */
export type DnsAnswer = string[] | 'unknown' | 'silence' | 'failure';

/** A name server that says what the test decides, question by question, and never the same unless told so. */
export async function startNameServer(
  decide: (question: DnsQuestion, asked: number) => DnsAnswer,
): Promise<{ servers: string[]; questions: DnsQuestion[] }> {
  const questions: DnsQuestion[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (query, sender) => {
    const question = readQuestion(query);
    questions.push(question);
    const answer = decide(question, questions.length);
    if (answer !== 'silence') socket.send(writeAnswer(query, question, answer), sender.port, sender.address);
  });
  socket.bind(0, '127.0.0.1');
  await onceWithin(socket, 'listening');
  cleanUp('a name server', () => socket.close());
  return { servers: [`127.0.0.1:${socket.address().port}`], questions };
}

const headerBytes = 12;

/** RFC 1035, section 4.1.2: labels with their lengths before them, an empty one at the end, then type and class. */
function readQuestion(query: Buffer): DnsQuestion {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) === 28 ? 'AAAA' : 'A' };
}

function writeAnswer(query: Buffer, { name, type }: DnsQuestion, answer: string[] | 'unknown' | 'failure'): Buffer {
  const addresses = Array.isArray(answer) ? answer.filter((each) => isIPv6(each) === (type === 'AAAA')) : [];
  const header = Buffer.from(query.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180 | (answer === 'unknown' ? 3 : answer === 'failure' ? 2 : 0), 2);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  const question = query.subarray(headerBytes, headerBytes + name.length + 6);
  return Buffer.concat([header, question, ...addresses.map(writeRecord)]);
}

/** The name as a pointer to the question; a lifetime of an hour, so that whoever remembers answers is found out. */
function writeRecord(address: string): Buffer {
  const data = isIPv6(address) ? bytesOfIpv6(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(isIPv6(address) ? 28 : 1, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(3600, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function bytesOfIpv6(address: string): Buffer {
  const [before = '', after] = address.split('::');
  const head = before.split(':').filter(Boolean);
  const tail = (after ?? '').split(':').filter(Boolean);
  const groups = [...head, ...Array(8 - head.length - tail.length).fill('0'), ...tail];
  return Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
