// What a site allows people to upload.

export interface UploadRules {
  readonly mostBytes: number;
  /** Media types (`application/pdf`) and media type prefixes (`image/`); null allows all. */
  readonly types: readonly string[] | null;
  readonly mostPixels: number;
  /** Whether pictures and films keep their location. */
  readonly keepsLocation: boolean;
}

export function isAllowedType(type: string, types: UploadRules['types']): boolean {
  return types === null || types.some((each) => (each.endsWith('/') ? type.startsWith(each) : type === each));
}
