// Authors in the management API.

/** An author: a by-line, not a login. */
export interface ManagedAuthorBody {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly profile_photo_url: string | null;
}
