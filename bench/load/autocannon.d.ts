// The part of autocannon's API that is used here. The package has no types.

declare module 'autocannon' {
  interface AutocannonRequest {
    readonly path?: string;
  }

  interface AutocannonOptions {
    readonly url: string;
    readonly connections: number;
    /** In seconds. */
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly requests: readonly { readonly setupRequest: (request: AutocannonRequest) => AutocannonRequest }[];
  }

  interface AutocannonResult {
    readonly '2xx': number;
    readonly '3xx': number;
    readonly '4xx': number;
    readonly '5xx': number;
    /** Connection errors, including timeouts. */
    readonly errors: number;
    /** In seconds. */
    readonly duration: number;
    readonly latency: { readonly p50: number; readonly p99: number };
  }

  function autocannon(options: AutocannonOptions): Promise<AutocannonResult>;
  export = autocannon;
}
