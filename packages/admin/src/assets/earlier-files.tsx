import type { AssetFileBody, ManagedAssetBody } from '@galley/wire';
import { Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Card } from '../elements/card.tsx';
import { TimeText } from '../elements/time-text.tsx';
import { describeError } from '../forms/describe-error.ts';
import { FormMessage } from '../forms/form-frame.tsx';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { filesQuery } from './asset-queries.ts';
import classes from './earlier-files.module.css';
import { formatBytes } from './format-bytes.ts';
import { restoreFile } from './library-calls.ts';

interface EarlierFilesProps {
  readonly site: string;
  readonly asset: ManagedAssetBody;
  readonly onRestored: (asset: ManagedAssetBody) => Promise<void>;
}

/** The asset's earlier files, which can be restored until the service removes them. */
export function EarlierFiles({ site, asset, onRestored }: EarlierFilesProps) {
  const { data: files = [] } = useQuery(filesQuery(site, asset.id));
  const restore = useMutation({
    mutationFn: ({ version }: AssetFileBody) => restoreFile(site, asset.id, version),
    onSuccess: onRestored,
  });
  const earlier = files.filter(({ replaced_at }) => replaced_at !== null);
  if (earlier.length === 0) return null;
  return (
    <Card title={ASSET_TEXTS.earlier}>
      <FormMessage message={restore.error === null ? undefined : describeError(restore.error)} />
      <ul className={classes.files}>
        {earlier.map((file) => (
          <li key={`${file.version} ${file.put_at}`}>
            <div className={classes.file}>
              <span className={classes.name}>{file.file_name}</span>
              <span className={classes.facts}>
                {listFacts(file).join(' · ')} · {ASSET_TEXTS.replacedAt}{' '}
                {file.replaced_at !== null && <TimeText value={file.replaced_at} withTime />}
              </span>
            </div>
            {file.can_restore ? (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={ASSET_TEXTS.earlierOf(file.file_name)}
                loading={restore.isPending && restore.variables === file}
                onClick={() => restore.mutate(file)}
              >
                {ASSET_TEXTS.restore}
              </Button>
            ) : (
              <Text size="xs" c="dimmed">
                {ASSET_TEXTS.cannotRestore}
              </Text>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function listFacts({ width, height, size }: AssetFileBody): readonly string[] {
  return [...(width === null || height === null ? [] : [ASSET_TEXTS.dimensions(width, height)]), formatBytes(size)];
}
