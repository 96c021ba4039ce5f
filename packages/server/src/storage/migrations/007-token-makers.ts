// Stores the creator of each management token, because a token stops working when its creator loses access. For existing tokens, the
// creator is taken from the audit log. A token that was created with another token has the same creator as that token.

import type { ColumnTypes } from '../engine.ts';

export function nameTokenMakers({ text }: ColumnTypes): readonly string[] {
  return [
    // `user` with the user's id, `command`, or null if unknown.
    `alter table management_tokens add column maker_kind ${text}`,
    `alter table management_tokens add column maker_id ${text}`,
    `with recursive origins (token_id, account_no, kind, id) as (
        select m.id, m.account_no, e.actor_kind, e.actor_id
        from management_tokens as m
        join audit_entries as e on e.account_no = m.account_no and e.subject_id = m.id and e.action = 'token.create'
      union
        select o.token_id, o.account_no, e.actor_kind, e.actor_id
        from origins as o
        join audit_entries as e on e.account_no = o.account_no and e.subject_id = o.id and e.action = 'token.create'
        where o.kind = 'token'
      )
      update management_tokens set maker_kind = origins.kind, maker_id = origins.id
      from origins where origins.token_id = management_tokens.id and origins.kind in ('user', 'command')`,
  ];
}
