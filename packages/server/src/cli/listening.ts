// The address that the service listens on, and explanations for listen errors.

import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import type { Settings } from '../settings.ts';
import { CommandFailure } from './command-failure.ts';

export type Place = Pick<Settings, 'host' | 'port'>;

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The URL at which programs on this machine reach the service, even if it listens on all addresses. */
export function findServiceUrl({ host, port }: Place): string {
  if (port === 0)
    throw new CommandFailure('GALLEY_PORT is 0, so the port is unknown. Set GALLEY_PORT to the service’s port.');
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** Finds a port that several processes can listen on: the given port if it is free, or any free port if 0 is given. */
export async function findFreePort(place: Place): Promise<number> {
  const server = createServer();
  server.listen(place);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw translateListenError(error, place);
  }
  const address = server.address();
  server.close();
  await once(server, 'close');
  return address !== null && typeof address === 'object' ? address.port : place.port;
}

export function translateListenError(error: unknown, { host, port }: Place): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const message = typeof code === 'string' ? describeListenError(code, host, port) : undefined;
  return message === undefined ? error : new CommandFailure(message, { cause: error });
}

function describeListenError(code: string, host: string, port: number): string | undefined {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Choose another with --port, or 0 for any free port.`;
    case 'EACCES':
      return `No permission to use port ${port} on ${host}: ports below 1024 need special privileges. Choose another with --port.`;
    case 'EADDRNOTAVAIL':
    case 'EAFNOSUPPORT':
      return `This machine does not have the address ${host}. Choose another with --host.`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `The host name ${host} cannot be resolved. Choose another with --host.`;
    default:
      return undefined;
  }
}
