// Reads the change feed as a client does. Every response is checked against the OpenAPI document.

import type { ChangeListBody } from '@galley/wire';
import { buildOpenApiDocument } from '../../src/explorer/openapi-document.ts';
import { compileResponseCheck } from '../support/openapi-check.ts';

const check = compileResponseCheck(buildOpenApiDocument({ headerPrefix: 'X-SERVICE', version: '0.0.0-test' }));

export interface FeedAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

/** A parameter with several values is repeated. */
export type FeedParameters = Readonly<Record<string, string | number | readonly (string | number)[]>>;

export function renderQuery(parameters: FeedParameters): string {
  const pairs = Object.entries(parameters).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, `${each}`]),
  );
  return `${new URLSearchParams(pairs)}`;
}

export class ChangeReader {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string, token: string, site: string) {
    this.#url = url;
    this.#headers = { authorization: `Bearer ${token}`, 'x-service-site': site };
  }

  async ask(parameters: FeedParameters = {}, headers: Readonly<Record<string, string>> = {}): Promise<FeedAnswer> {
    const response = await fetch(`${this.#url}/changes/v1?${renderQuery(parameters)}`, {
      headers: { ...this.#headers, ...headers },
    });
    const text = await response.text();
    const body: unknown = JSON.parse(text);
    const faults = check('/changes/v1', response.status, response.headers, body);
    if (faults.length > 0) throw new Error(`${response.status} ${text}\n${faults.join('\n')}`);
    return { status: response.status, headers: response.headers, text, body };
  }

  async page(parameters: FeedParameters = {}): Promise<ChangeListBody> {
    const { status, text, body } = await this.ask(parameters);
    if (status !== 200) throw new Error(`The feed returned ${status}: ${text}`);
    return body as ChangeListBody;
  }

  /** The position after a full sync. */
  async sync(): Promise<string> {
    let page = await this.page();
    while (!page.drop_others) page = await this.page({ since: page.next });
    return page.next;
  }

  /** All changes after a position. */
  async since(since: string, parameters: FeedParameters = {}): Promise<ChangeListBody['changes']> {
    const changes: ChangeListBody['changes'][number][] = [];
    let page = await this.page({ ...parameters, since });
    changes.push(...page.changes);
    while (page.has_more) {
      page = await this.page({ ...parameters, since: page.next });
      changes.push(...page.changes);
    }
    return changes;
  }

  /** The delivery API's response for an object, as text; undefined if the object is not published. */
  async object(id: string): Promise<string | undefined> {
    const response = await fetch(`${this.#url}/api/v1/content/${id}`, { headers: this.#headers });
    const text = await response.text();
    if (response.status === 200) return text;
    if (response.status !== 404) throw new Error(`${id} returned ${response.status}: ${text}`);
    return undefined;
  }
}
