// Assets in the management API.

/** What is known of a file, and the address that it is found at. */
export interface ManagedAssetBody {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly path: string;
  readonly url: string;
  readonly extension: string;
  /** In bytes; 0 where nobody said. */
  readonly size: number;
  readonly mime_type: string;
  readonly is_image: boolean;
  readonly width: number | null;
  readonly height: number | null;
}
