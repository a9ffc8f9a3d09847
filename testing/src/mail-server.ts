import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { cleanUp } from './cleanup.ts';
import { onceWithin } from './once-within.ts';

/** An e-mail that the server received completely. */
export interface ReceivedMail {
  to: string[];
  /** The source with its headers. */
  source: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** The script of the next steps. By default the server accepts everything. */
  script: {
    /** Refuses the recipient. */
    recipient?: () => Error | undefined;
    /** Runs after the whole text; the answer waits for it. The mail counts as received. */
    text?: (source: string) => Promise<Error | undefined>;
  };
  /** Resets every connection. */
  cut(): void;
  close(): Promise<void>;
  open(): Promise<void>;
}

/** A mail server that stores all mail. It ends after the test file. */
export async function startMailServer(): Promise<MailServer> {
  let port = 0;
  let server: SMTPServer;
  const sockets = new Set<Socket>();
  const mail: MailServer = {
    url: '',
    received: [],
    script: {},
    async open() {
      server = new SMTPServer({ authOptional: true, logger: false, closeTimeout: 50, onRcptTo, onData });
      // Tests break connections on purpose.
      server.on('error', () => {});
      server.server.on('connection', (socket: Socket) => sockets.add(socket));
      await onceWithin(server.listen(port, '127.0.0.1'), 'listening');
      port = (server.server.address() as AddressInfo).port;
      mail.url = `smtp://127.0.0.1:${port}`;
    },
    cut() {
      for (const socket of sockets) socket.destroy();
      sockets.clear();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };

  function onRcptTo(_address: unknown, _session: unknown, done: (error?: Error | null) => void): void {
    done(mail.script.recipient?.());
  }

  async function onData(
    stream: SMTPServerDataStream,
    { envelope }: { envelope: { rcptTo: { address: string }[] } },
    done: (error?: Error | null) => void,
  ): Promise<void> {
    const source = Buffer.concat(await Array.fromAsync(stream)).toString();
    const refusal = mail.script.text && (await mail.script.text(source));
    if (refusal) return done(refusal);
    mail.received.push({ to: envelope.rcptTo.map(({ address }) => address), source });
    done();
  }

  await mail.open();
  cleanUp('the mail server', () => {
    mail.cut();
    return mail.close();
  });
  return mail;
}

/** An SMTP refusal with this code. */
export function smtpError(responseCode: number): Error {
  return Object.assign(new Error('Scripted refusal'), { responseCode });
}
