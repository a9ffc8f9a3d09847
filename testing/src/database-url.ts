import type pg from 'pg';

/** A value of DATABASE_URL for a host, or for the folder of a Unix socket. */
export function databaseUrl({ host, port, user, password, database }: pg.ClientConfig): string {
  const account = [user, password].filter(Boolean).map((part) => encodeURIComponent(String(part)));
  const place = host!.startsWith('/') ? 'localhost' : `${host}:${port}`;
  const socket = host!.startsWith('/') ? `?host=${encodeURIComponent(host!)}&port=${port}` : '';
  return `postgres://${account.join(':')}@${place}/${database}${socket}`;
}
