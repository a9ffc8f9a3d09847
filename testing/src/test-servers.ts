import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanUp } from './cleanup.ts';
import { onceWithin } from './once-within.ts';

export interface TestServer {
  port: number;
  /** Connections made so far. */
  readonly connections: number;
  /** Those still open. */
  readonly open: number;
}

/** A receiver of HTTP that does what the test tells it. */
export function startHttpServer(listener: RequestListener): Promise<TestServer> {
  return listen(createServer(listener));
}

export function startHttpsServer(identity: Certificate, listener: RequestListener): Promise<TestServer> {
  return listen(createSecureServer({ ...identity, ALPNProtocols: ['http/1.1'] }, listener));
}

/** A receiver without any protocol: for what no HTTP server would do. */
export function startTcpServer(talk: (socket: Socket) => void): Promise<TestServer> {
  return listen(createTcpServer(talk));
}

async function listen(server: Server): Promise<TestServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await onceWithin(server, 'listening');
  cleanUp('a server', () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
  };
}

export interface Certificate {
  key: string;
  cert: string;
}

/** A certificate for a name that signs itself: bad, unless somebody was told to trust it. */
export function createCertificate(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'identity-'));
  const key = join(folder, 'key.pem');
  const cert = join(folder, 'cert.pem');
  try {
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const what = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-keyout', key, '-out', cert];
    execFileSync('openssl', [...made, ...what], { stdio: 'ignore' });
    return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
