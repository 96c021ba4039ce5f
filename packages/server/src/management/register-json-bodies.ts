// Bodies come as JSON in UTF-8 and nothing else. They are read here and parsed by `parseBody`, when it is known that the
// rest of the call is in order.

import type { FastifyInstance, FastifyRequest } from 'fastify';
import { PROBLEMS, ProblemError } from '../http/problems.ts';

/** A saved object with its blocks is rarely above a tenth of this. */
export const MOST_BODY_BYTES = 4 * 1024 * 1024;

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]*)/i;

export function registerJsonBodies(scope: FastifyInstance): void {
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit: MOST_BODY_BYTES },
    async ({ headers }: FastifyRequest, bytes: Buffer) => {
      const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
      const coding = headers['content-encoding'] ?? 'identity';
      const isReadable = charset.toLowerCase() === 'utf-8' && coding.toLowerCase() === 'identity';
      if (!isReadable) throw new ProblemError(PROBLEMS.unsupportedMediaType);
      return bytes;
    },
  );
}
