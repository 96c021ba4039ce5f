import { Alert, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { isNotFound } from '../../api/api-error.ts';
import { assetQuery } from '../../assets/asset-queries.ts';
import { LinkButton } from '../../elements/link-button.tsx';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import { SHELL_TEXTS } from '../../texts/shell-texts.ts';
import { linkedContentQuery } from '../fields/picker-queries.ts';
import classes from './page-notice.module.css';
import type { PageField } from './parse-page-message.ts';

interface OtherFieldProps {
  readonly site: string;
  readonly field: PageField;
  readonly onClose: () => void;
}

/** Offers to open the other content, or the asset, that the clicked text belongs to. The page itself cannot open anything. */
export function OtherField({ site, field: { id, path }, onClose }: OtherFieldProps) {
  const content = useQuery(linkedContentQuery(site, id));
  const isNoContent = isNotFound(content.error);
  const asset = useQuery({ ...assetQuery(site, id), enabled: isNoContent });
  if (content.data === undefined && asset.data === undefined && asset.error === null) return null;
  const { other } = PREVIEW_TEXTS;
  const title = content.data !== undefined ? other.content : asset.data !== undefined ? other.asset : other.gone;
  return (
    <Alert
      className={classes.notice}
      color="pine"
      role="status"
      title={title}
      withCloseButton
      closeButtonLabel={SHELL_TEXTS.close}
      onClose={onClose}
    >
      <Group gap="xs" mt={4}>
        {content.data !== undefined && (
          <LinkButton
            size="compact-sm"
            to="/sites/$site/content/$id"
            params={{ site, id }}
            hash={path}
            className={classes.open}
          >
            {other.open(content.data.name)}
          </LinkButton>
        )}
        {asset.data !== undefined && (
          <LinkButton size="compact-sm" to="/sites/$site/assets/$asset" params={{ site, asset: id }}>
            {other.open(asset.data.name)}
          </LinkButton>
        )}
      </Group>
    </Alert>
  );
}
