import { createServer, type ServerResponse } from 'node:http';
import { countBytes } from './count-bytes.ts';

// The cheapest webhook receivers: 200 for every request, but /hang never answers and /drip never ends. They are a
// process of their own, so that their processor time is not the service's.
const [first, count] = process.argv.slice(2).map(Number) as [number, number];
let open = count;
const servers = Array.from({ length: count }, (_, n) => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      if (request.url === '/drip') drip(response);
      else if (request.url !== '/hang') response.end();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(first + n, '0.0.0.0', () => --open === 0 && process.send?.('ready'));
  return server;
});
const bytes = countBytes(servers);
process.on('message', () => process.send?.(bytes()));

function drip(response: ServerResponse): void {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 500);
  response.on('close', () => clearInterval(timer));
}
