import type { FastifyInstance } from 'fastify';

const PROBED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** The value of `Allow` for a path that some method reaches; undefined where no route has the path. */
export function findAllowedMethods(server: FastifyInstance, url: string): string | undefined {
  const reached = PROBED_METHODS.filter((method) => server.findRoute({ method, url }) !== null);
  if (reached.length === 0) return undefined;
  return [...reached.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method])), 'OPTIONS'].join(', ');
}
