// What the webhook commands have in common: most of them take the ID of a webhook, and open the database to work on it.

import type { Command } from 'commander';
import type { Actor } from '../authoring/actor.ts';
import type { Desk } from '../authoring/desk.ts';
import type { WebhookAddress } from '../authoring/webhooks.ts';
import { idOption } from './parse-option.ts';

export interface JsonFlag {
  readonly json?: true;
}

/** Defines a command that takes the ID of a webhook. */
export function defineForWebhook(webhook: Command, name: string, summary: string): Command {
  return webhook
    .command(name)
    .summary(summary)
    .argument('<id>', 'id of the webhook; see "galley webhook list"', idOption);
}

/** A webhook, with everything that is needed to work on it. */
export interface OpenWebhook {
  readonly desk: Desk;
  readonly actor: Actor;
  readonly address: WebhookAddress;
}

export async function withWebhook<Outcome>(
  id: string,
  task: (webhook: OpenWebhook) => Promise<Outcome>,
): Promise<Outcome> {
  const { findWebhookPlace } = await import('./work.ts');
  return withDesk(async (desk) => task({ desk, ...(await desk.storage.read(findWebhookPlace(id))) }));
}

/** Opens the database, and runs the task with a desk whose `hasPublicUrl` is set according to the settings. */
export async function withDesk<Outcome>(task: (desk: Desk) => Promise<Outcome>): Promise<Outcome> {
  const { createDesk, readServiceSettings, withExistingStorage } = await import('./work.ts');
  const hasPublicUrl = readServiceSettings().publicUrl !== null;
  return withExistingStorage((storage) => task({ ...createDesk(storage), hasPublicUrl }));
}
