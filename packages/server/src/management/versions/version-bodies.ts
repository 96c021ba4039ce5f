// The shapes of what the routes about versions answer.

import type { ComparisonBody, RestoredVersionBody, VersionBody, VersionListBody } from '@galley/wire';
import { z } from 'zod';

const saverBody = z.strictObject({ id: z.string().nullable(), name: z.string() });

const entryMembers = {
  number: z.int(),
  name: z.string(),
  saved_at: z.string(),
  saved_by: saverBody.nullable(),
  is_newest: z.boolean(),
  is_published: z.boolean(),
  was_published: z.boolean(),
  restored_from: z.int().nullable(),
};

export const versionListBody: z.ZodType<VersionListBody> = z
  .strictObject({
    data: z.array(z.strictObject(entryMembers).meta({ id: 'VersionEntry' })),
    next_before: z.int().nullable(),
  })
  .meta({ id: 'VersionList' });

export const versionBody: z.ZodType<VersionBody> = z
  .strictObject({
    ...entryMembers,
    slug: z.string(),
    uri: z.string().nullable(),
    author: z.string().nullable(),
    seo: z.record(z.string(), z.unknown()),
    fields: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Version' });

const changeBody = z.strictObject({ path: z.string(), before: z.unknown(), after: z.unknown() });

export const comparisonBody: z.ZodType<ComparisonBody> = z
  .strictObject({ from: z.int(), to: z.int(), changes: z.array(changeBody) })
  .meta({ id: 'Comparison' });

const leftOutBody = z.strictObject({ path: z.string(), message: z.string() });

export const restoredVersionBody: z.ZodType<RestoredVersionBody> = z
  .strictObject({ version: z.int(), left_out: z.array(leftOutBody) })
  .meta({ id: 'RestoredVersion' });
