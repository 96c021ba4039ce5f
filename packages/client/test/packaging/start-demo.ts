// The demo magazine, served by the real program in a separate process.

import { makeFolder, startServer } from '../../../server/test/support/galley-command.ts';

export interface Demo extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly apiKey: string;
}

export async function startDemo(environment: Readonly<Record<string, string>> = {}): Promise<Demo> {
  const folder = await makeFolder();
  const server = await startServer({ cwd: folder.path, env: environment });
  const apiKey = /gk_[\w-]+/.exec(server.printed)?.[0];
  if (apiKey === undefined) throw new Error(`The demo printed no key:\n${server.printed}`);
  return {
    url: server.url,
    apiKey,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
