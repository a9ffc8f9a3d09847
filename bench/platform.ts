import { createServer } from 'node:http';
import { countBytes } from './count-bytes.ts';

// The cheapest platform: it accepts every send under a new id and reports nothing.
// It is a process of its own, so that its processor time is not the service's.
let accepted = 0;
const server = createServer((request, response) => {
  request.resume();
  request.once('end', () => {
    const isSend = request.method === 'POST' && request.url!.endsWith('/messages');
    const answer = isSend ? accept() : JSON.stringify({ data: [], id: '0' });
    response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  });
});

function accept(): string {
  const id = `wamid.bench${++accepted}`;
  return JSON.stringify({ messaging_product: 'whatsapp', messages: [{ id }] });
}

const bytes = countBytes([server]);
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.('ready'));
process.on('message', () => process.send?.(bytes()));
