// Starts a service with its management API, and calls it on behalf of different callers. Accounts, users and tokens are created in the same
// way as in production. Every response is checked against the OpenAPI document, so a test fails if a route deviates from it.

import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { buildToken, hashToken, shortenToken, TOKEN_BYTES } from '../../src/content/api-token.ts';
import { buildId } from '../../src/content/ids.ts';
import type { Role } from '../../src/content/role.ts';
import { insertAccount, MAIN_ACCOUNT_NO } from '../../src/storage/accounts/accounts.ts';
import { insertManagementToken } from '../../src/storage/accounts/management-tokens.ts';
import { checkManagementAnswer } from '../support/management-openapi-check.ts';
import { startService, type TestService } from '../support/service.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined if there is no body. */
  readonly body: unknown;
  /** The body as it was received. */
  readonly text: string;
}

export interface CallOptions {
  /** Sent as JSON; a string or a form is sent unchanged. */
  readonly body?: unknown;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Manager {
  readonly service: TestService;
  /** Tokens for the main account's owner and editor, and for the owner of another account. */
  readonly owner: string;
  readonly editor: string;
  readonly stranger: string;
  /** Calls a route under /manage/v1, by default as the owner of the main account. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Returns the body of a successful call. If the call fails, the test fails with the service's message. */
  expectOk<Body>(method: string, path: string, body?: unknown, token?: string): Promise<Body>;
  /** Returns the delivery API's response for a path under /api/v1/content. */
  read(siteId: string, path?: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): Promise<void>;
}

export async function startManager(...options: Parameters<typeof startService>): Promise<Manager> {
  const service = await startService(...options);
  const other = await service.storage.transaction((transaction) =>
    transaction.run(insertAccount(buildId('account', randomUUIDv7()), 'Another account', Date.now())),
  );
  const owner = await createToken(service, MAIN_ACCOUNT_NO, 'owner');
  const editor = await createToken(service, MAIN_ACCOUNT_NO, 'editor');
  const stranger = await createToken(service, other, 'owner');
  const key = await service.createKey({ allSites: true, preview: true });

  async function call(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const token = 'token' in options ? options.token : owner;
    const answer = await send(`${service.url}/manage/v1${path}`, method, options.body, {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    });
    const faults = checkManagementAnswer(method, `/manage/v1${path}`, answer);
    if (faults.length > 0) {
      const said = `${method} ${path} returned ${answer.status} ${JSON.stringify(answer.body)}`;
      throw new Error(`${said}, which does not match the OpenAPI document:\n${faults.join('\n')}`);
    }
    return answer;
  }

  return {
    service,
    owner,
    editor,
    stranger,
    call,
    async expectOk<Body>(method: string, path: string, body?: unknown, token = owner): Promise<Body> {
      const answer = await call(method, path, { body, token });
      if (answer.status >= 300) {
        throw new Error(`${method} ${path} returned ${answer.status}: ${JSON.stringify(answer.body)}`);
      }
      return answer.body as Body;
    },
    read: (siteId, path = '', headers = {}) =>
      send(`${service.url}/api/v1/content${path}`, 'GET', undefined, {
        authorization: `Bearer ${key.token}`,
        'x-service-site': siteId,
        ...headers,
      }),
    close: () => service.close(),
  };
}

async function createToken(service: TestService, accountNo: number, role: Role): Promise<string> {
  const token = buildToken('management', randomBytes(TOKEN_BYTES));
  await service.storage.transaction((transaction) =>
    transaction.run(
      insertManagementToken({
        id: buildId('managementToken', randomUUIDv7()),
        accountNo,
        name: `Test ${role}`,
        role,
        tokenHash: hashToken(token),
        prefix: shortenToken(token),
        createdAt: Date.now(),
        expiresAt: null,
        makerKind: 'command',
        makerId: null,
      }),
    ),
  );
  return token;
}

async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const isForm = body instanceof FormData;
  const response = await fetch(url, {
    method,
    headers: body === undefined || isForm ? headers : { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const { status, headers: received } = response;
  return { status, headers: received, body: text === '' ? undefined : JSON.parse(text), text };
}
