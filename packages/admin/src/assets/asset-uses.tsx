import { Button, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Card } from '../elements/card.tsx';
import { TextLink } from '../elements/link-button.tsx';
import { ASSET_TEXTS } from '../texts/asset-texts.ts';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { usesQuery } from './asset-queries.ts';
import classes from './asset-uses.module.css';

interface AssetUsesProps {
  readonly site: string;
  readonly asset: string;
}

/** Links to the content that uses an asset. */
export function AssetUses({ site, asset }: AssetUsesProps) {
  const { data, error, refetch } = useQuery(usesQuery(site, asset));
  return (
    <Card title={ASSET_TEXTS.uses}>
      {data === undefined && error === null && <Skeleton height={20} width="50%" />}
      {error !== null && (
        <div>
          <Text size="sm">{ASSET_TEXTS.usesFailed}</Text>
          <Button size="compact-sm" variant="default" mt="xs" onClick={() => void refetch()}>
            {SHELL_TEXTS.tryAgain}
          </Button>
        </div>
      )}
      {data !== undefined && data.total === 0 && (
        <Text size="sm" c="dimmed">
          {ASSET_TEXTS.noUses}
        </Text>
      )}
      {data !== undefined && data.total > 0 && (
        <ul className={classes.uses}>
          {data.data.map(({ id, name, is_public }) => (
            <li key={id}>
              <TextLink to="/sites/$site/content/$id" params={{ site, id }} size="sm">
                {name}
              </TextLink>
              {!is_public && <span className={classes.note}>{ASSET_TEXTS.notPublic}</span>}
            </li>
          ))}
          {data.total > data.data.length && (
            <li className={classes.note}>{ASSET_TEXTS.moreUses(data.total - data.data.length)}</li>
          )}
        </ul>
      )}
    </Card>
  );
}
