// Changes a site's asset settings and its image URL presets. Calls that change nothing are not written to the audit log.

import { isTransformation, parseImageParameters } from '../../images/image-parameters.ts';
import {
  type AssetSettings,
  deleteImagePreset,
  type ImagePresetRow,
  selectAssetSettings,
  selectImagePresets,
  writeAssetSettings,
  writeImagePreset,
} from '../../storage/sites/asset-settings.ts';
import type { Actor } from '../actor.ts';
import { describeChange } from '../audit-note.ts';
import { AuthoringRefusal, refuseAbsent, refuseFaults } from '../authoring-refusal.ts';
import { type Desk, work } from '../desk.ts';
import { findSite } from './find-site.ts';

/** Omitted properties stay as they are. */
export type AssetSettingsChange = { readonly [Name in keyof AssetSettings]?: AssetSettings[Name] | undefined };

export function updateAssetSettings(
  desk: Desk,
  actor: Actor,
  siteId: string,
  change: AssetSettingsChange,
): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const before = await job.run(selectAssetSettings(site.no));
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const after: AssetSettings = { ...before, ...given };
    const details = describeChange(describeSettings(before), describeSettings(after));
    if (Object.keys(details.after).length === 0) return;
    await job.run(writeAssetSettings(site.no, after));
    const subject = { siteId, subjectId: siteId, subjectName: site.name };
    await job.note({ action: 'site.update_asset_settings', ...subject, details });
  });
}

/** Describes the settings with the names that the API uses. */
function describeSettings(settings: AssetSettings) {
  return {
    keeps_location: settings.keepsLocation,
    upload_types: settings.uploadTypes?.join(', ') ?? null,
    most_upload_mb: settings.mostUploadMb,
    most_megapixels: settings.mostMegapixels,
    image_access: settings.imageAccess,
    requires_description: settings.requiresDescription,
  };
}

const MOST_PRESETS = 100;

/** Creates or changes a preset. Images whose URLs name the preset show the change immediately, unless they are cached. */
export function putImagePreset(desk: Desk, actor: Actor, siteId: string, preset: ImagePresetRow): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    refuseFaultyPreset(preset.parameters);
    const presets = await job.run(selectImagePresets(site.no));
    const before = presets.find(({ name }) => name === preset.name);
    if (before?.parameters === preset.parameters) return;
    if (before === undefined && presets.length >= MOST_PRESETS) {
      const message = `A site can have at most ${MOST_PRESETS} image presets.`;
      throw new AuthoringRefusal(message, { reason: 'conflict', code: 'limit_reached' });
    }
    await job.run(writeImagePreset(site.no, preset));
    const details = describeChange({ parameters: before?.parameters ?? null }, { parameters: preset.parameters });
    await job.note({ action: 'site.save_image_preset', siteId, subjectName: preset.name, details });
  });
}

function refuseFaultyPreset(text: string): void {
  const pairs = new URLSearchParams(text);
  const unknown = [...pairs.keys()].find((name) => !isTransformation(name));
  if (unknown !== undefined) {
    const message = `must contain only image parameters other than p and s; ${JSON.stringify(unknown)} is not one of them`;
    throw refuseFaults([{ path: 'parameters', message, code: 'unknown' }]);
  }
  const parsed = parseImageParameters(pairs, new Map());
  if (!parsed.ok) {
    const message = `must be the query of an image URL. ${parsed.problem}`;
    throw refuseFaults([{ path: 'parameters', message }]);
  }
}

export function removeImagePreset(desk: Desk, actor: Actor, siteId: string, name: string): Promise<void> {
  return work(desk, actor, async (job) => {
    const site = await findSite(job, siteId);
    const presets = await job.run(selectImagePresets(site.no));
    if (!presets.some((preset) => preset.name === name)) throw refuseAbsent(`There is no image preset ${name}.`);
    await job.run(deleteImagePreset(site.no, name));
    await job.note({ action: 'site.delete_image_preset', siteId, subjectName: name });
  });
}
