import { chown, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Address } from './choose-address.ts';
import type { Cluster } from './cluster.ts';

/**
 * Writes PostgreSQL's settings before each start, so that an update of Majlis applies to an old database too. Settings of
 * an operator by ALTER SYSTEM, or below the include line of postgresql.conf, take precedence.
 */
export async function writeSettings(cluster: Cluster, address: Address, extra: Record<string, string>): Promise<void> {
  const settings = { ...base, ...addressSettings(address), ...extra };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`);
  await replaceFile(cluster, 'majlis.conf', `# Written by Majlis at each start.\n${lines.join('')}`);
  await replaceFile(cluster, 'pg_hba.conf', accessRules(address));
}

const base = {
  max_connections: '100',
  // PostgreSQL shares the machine with the service. In sum it takes about 200 MB.
  shared_buffers: '128MB',
  effective_cache_size: '512MB',
  maintenance_work_mem: '64MB',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  // A commit is on the disk before it is acknowledged. There are no standbys, so WAL holds only the minimum.
  fsync: 'on',
  synchronous_commit: 'on',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  checkpoint_timeout: '10min',
  // Rows of jobs live for milliseconds. Frequent vacuums remove them before they slow the claims.
  autovacuum_naptime: '10s',
  random_page_cost: '1.1',
  // Statements are short: JIT compilation costs more than it saves.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  default_text_search_config: 'pg_catalog.simple',
  // The service logs errors without their values. PostgreSQL's own log holds starts, stops and crashes, in one file per
  // weekday, which is truncated a week later.
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_truncate_on_rotation: 'on',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
};

function addressSettings(address: Address): Record<string, string> {
  if (address.kind === 'socket') {
    // The folder is relative to PostgreSQL's working directory, its data directory.
    return { listen_addresses: '', unix_socket_directories: '.', unix_socket_permissions: '0700', port: '5432' };
  }
  return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(address.port) };
}

function accessRules(address: Address): string {
  return address.kind === 'socket' ? 'local all all trust\n' : 'host all all 127.0.0.1/32 scram-sha-256\n';
}

async function replaceFile(cluster: Cluster, name: string, text: string): Promise<void> {
  const place = path.join(cluster.path, name);
  if ((await readFile(place, 'utf8').catch(() => undefined)) === text) return;
  const fresh = `${place}.new`;
  await writeFile(fresh, text, { mode: 0o600 });
  if (cluster.account) await chown(fresh, cluster.account.uid, cluster.account.gid);
  await rename(fresh, place);
}
