// The package has no types of its own. These cover the parts that our tests use.

declare module 's3rver' {
  import type { Readable } from 'node:stream';

  export interface S3Object {
    readonly bucket: string;
    readonly key: string;
    readonly content: Readable | Buffer;
    readonly metadata: Readonly<Record<string, string>>;
  }

  export interface Context {
    readonly method: string;
    readonly path: string;
    readonly query: Readonly<Record<string, string | undefined>>;
    status: number;
    type: string;
    body: string;
  }

  export interface Store {
    getResourcePath(bucket: string, key: string | undefined, resource: string): string;
    putMetadata(bucket: string, key: string, metadata: Readonly<Record<string, string>>, md5: string): Promise<void>;
    getMetadata(bucket: string, key: string): Promise<Record<string, string>>;
    putObject(object: S3Object): Promise<{ size: number; md5: string }>;
    copyObject(from: string, fromKey: string, to: string, toKey: string): Promise<Record<string, string>>;
    deleteObject(bucket: string, key: string): Promise<void>;
    getObject(bucket: string, key: string, options: object): Promise<unknown>;
    listObjects(bucket: string, options: object): Promise<unknown>;
  }

  // biome-ignore lint/style/noDefaultExport: the package has one.
  export default class S3rver {
    constructor(options: {
      readonly address: string;
      readonly port: number;
      readonly silent: boolean;
      readonly directory: string;
      readonly vhostBuckets: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    readonly store: Store;
    readonly middleware: ((context: Context, next: () => Promise<void>) => Promise<void>)[];
    readonly httpServer: import('node:http').Server;
    run(): Promise<import('node:net').AddressInfo>;
    close(): Promise<void>;
  }
}
