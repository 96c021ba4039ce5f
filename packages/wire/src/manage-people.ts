// People in the management API: their account, who may sign in, tokens for automation, and the audit log.

/** What somebody may do: an owner everything, an editor content. */
export type RoleName = 'owner' | 'editor';

/** Somebody who can sign in. */
export interface UserBody {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: RoleName;
  /** A suspended user cannot sign in. */
  readonly is_suspended: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly last_sign_in_at: string | null;
}

/** Who calls: a user with a session, or a token. */
export interface SessionBody {
  /** Null where a token calls. */
  readonly user: UserBody | null;
  /** Null where a user calls. */
  readonly token: ManagementTokenBody | null;
  /** To be sent as `X-CSRF-Token` with everything that changes something; null where a token calls, which needs none. */
  readonly csrf_token: string | null;
  readonly expires_at: string | null;
}

/** Whether the first owner is still to be created. */
export interface SetupBody {
  readonly is_needed: boolean;
}

/** A token of the management API, as far as it can be shown again. */
export interface ManagementTokenBody {
  readonly id: string;
  readonly name: string;
  readonly role: RoleName;
  /** The beginning of the token. */
  readonly prefix: string;
  /**
   * A token is suspended while the user who created it is suspended or does not have the token's role any more. It works again
   * when the user is reactivated or has the role again.
   */
  readonly state: 'active' | 'suspended' | 'expired' | 'revoked';
  /** The user, or the command line. Null where nobody knows, which is possible for tokens of older releases only. */
  readonly created_by: {
    readonly kind: 'user' | 'command';
    /** The id of the user. */
    readonly id: string | null;
    readonly name: string;
  } | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Within a minute. */
  readonly last_used_at: string | null;
}

/** A new token: the only time that the token itself is shown. */
export interface NewManagementTokenBody extends ManagementTokenBody {
  readonly token: string;
}

/** Something that was done. Names are as they were then. */
export interface AuditEntryBody {
  /** Counts up; a later entry has a greater number. */
  readonly number: number;
  readonly at: string;
  /** Noun and verb, like `content.publish`. */
  readonly action: string;
  readonly actor: {
    /** A guest is somebody who could not sign in. */
    readonly kind: 'user' | 'token' | 'command' | 'schedule' | 'guest';
    readonly id: string | null;
    readonly name: string;
    /** The network address that it was done from. */
    readonly address: string | null;
  };
  readonly site: string | null;
  /** What it was done to. */
  readonly subject: { readonly id: string | null; readonly name: string | null };
  /** What else there is to know; which members it has depends on the action. */
  readonly details: Readonly<Record<string, unknown>> | null;
}

/** The audit log, the newest first. */
export interface AuditLogBody {
  readonly data: readonly AuditEntryBody[];
  /** To be given as `before` for the next page; null on the last one. */
  readonly next_before: number | null;
}

/** The account that sites, users and keys belong to. */
export interface AccountBody {
  readonly id: string;
  readonly name: string;
  readonly created_at: string;
}
