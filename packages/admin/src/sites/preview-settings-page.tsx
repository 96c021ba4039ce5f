// Where a site's drafts can be previewed: the addresses, the secret, and what the website needs.

import type { PreviewSettingsBody } from '@galley/wire';
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api, readAnswer } from '../api/api.ts';
import { Card } from '../elements/card.tsx';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { CodeBlock, CopyableId } from '../elements/copyable.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { PREVIEW_SETTINGS_TEXTS } from '../texts/preview-texts.ts';
import { AddressInputs } from './address-inputs.tsx';
import { keepPreviewSettings, previewSettingsQuery } from './preview-queries.ts';
import classes from './preview-settings-page.module.css';
import { buildAddresses, createAddressDraft, hasNewOrigin, readAddresses } from './preview-values.ts';
import { siteQuery } from './site-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/preview');

export function PreviewSettingsPage() {
  const { site: id } = route.useParams();
  const { data: site } = useSuspenseQuery(siteQuery(id));
  const { data: settings } = useSuspenseQuery(previewSettingsQuery(id));
  return (
    <Page title={PREVIEW_SETTINGS_TEXTS.title} tabTitle={PREVIEW_SETTINGS_TEXTS.titleOf(site.name)} isNarrow>
      <Card title={PREVIEW_SETTINGS_TEXTS.addresses} intro={PREVIEW_SETTINGS_TEXTS.addressesIntro}>
        {/* After a save, the rows have IDs. */}
        <AddressForm key={settings.addresses.map((address) => address.id).join(' ')} site={id} settings={settings} />
      </Card>
      <Secret site={id} secret={settings.secret} />
      <Needs />
    </Page>
  );
}

interface AddressFormProps {
  readonly site: string;
  readonly settings: PreviewSettingsBody;
}

function AddressForm({ site, settings }: AddressFormProps) {
  const queryClient = useQueryClient();
  const known = readAddresses(settings.addresses);
  const form = useApiForm({
    initial: { addresses: known.length === 0 ? [createAddressDraft()] : known },
    submit: ({ addresses }) =>
      readAnswer(
        api.PUT('/manage/v1/sites/{site}/preview', {
          params: { path: { site } },
          body: { addresses: buildAddresses(addresses) },
        }),
      ),
    onDone: (changed: PreviewSettingsBody) => {
      // The policy of a loaded page does not change, so without a reload, the panel could not show pages from new addresses.
      if (hasNewOrigin(settings.addresses, changed.addresses)) window.location.reload();
      keepPreviewSettings(queryClient, site, changed);
      showToast({ text: PREVIEW_SETTINGS_TEXTS.saved });
    },
  });
  return (
    <FormFrame form={form} autoComplete="off">
      <AddressInputs
        form={form}
        value={form.values.addresses}
        onChange={(addresses) => form.set('addresses', addresses)}
      />
      <SaveButton form={form} />
    </FormFrame>
  );
}

function Secret({ site, secret }: { readonly site: string; readonly secret: string | null }) {
  const queryClient = useQueryClient();
  const [isAsking, { open, close }] = useDisclosure(false);
  const rotate = async (): Promise<void> => {
    const changed: PreviewSettingsBody = await readAnswer(
      api.POST('/manage/v1/sites/{site}/preview/rotate-secret', { params: { path: { site } } }),
    );
    keepPreviewSettings(queryClient, site, changed);
    showToast({ text: PREVIEW_SETTINGS_TEXTS.rotated });
  };
  return (
    <Card title={PREVIEW_SETTINGS_TEXTS.secret} intro={PREVIEW_SETTINGS_TEXTS.secretIntro}>
      {secret === null ? (
        <Text size="sm">{PREVIEW_SETTINGS_TEXTS.noSecret}</Text>
      ) : (
        <>
          <CopyableId id={secret} what={PREVIEW_SETTINGS_TEXTS.secretName} />
          <div>
            <Button variant="default" onClick={open}>
              {PREVIEW_SETTINGS_TEXTS.rotate}
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={PREVIEW_SETTINGS_TEXTS.rotateTitle}
        text={PREVIEW_SETTINGS_TEXTS.rotateText}
        confirmLabel={PREVIEW_SETTINGS_TEXTS.rotate}
        isHarmless
        onConfirm={rotate}
        onClose={close}
      />
    </Card>
  );
}

function Needs() {
  return (
    <Card title={PREVIEW_SETTINGS_TEXTS.needs} intro={PREVIEW_SETTINGS_TEXTS.needsIntro}>
      <ol className={classes.needs}>
        <li>
          <strong>{PREVIEW_SETTINGS_TEXTS.draftRoute}</strong> {PREVIEW_SETTINGS_TEXTS.draftRouteHelp}
        </li>
        <li>
          <strong>{PREVIEW_SETTINGS_TEXTS.framing}</strong> {PREVIEW_SETTINGS_TEXTS.framingHelp}
          <div className={classes.code}>
            <CodeBlock
              label={PREVIEW_SETTINGS_TEXTS.framingHeader}
              what={PREVIEW_SETTINGS_TEXTS.header}
              code={`Content-Security-Policy: frame-ancestors 'self' ${window.location.origin}`}
            />
          </div>
        </li>
        <li>
          <strong>{PREVIEW_SETTINGS_TEXTS.cookie}</strong> {PREVIEW_SETTINGS_TEXTS.cookieHelp}
          <div className={classes.code}>
            <CodeBlock
              label={PREVIEW_SETTINGS_TEXTS.cookieAttributes}
              what={PREVIEW_SETTINGS_TEXTS.attributes}
              code="HttpOnly; Secure; SameSite=None; Partitioned; Path=/"
            />
          </div>
        </li>
        <li>
          <strong>{PREVIEW_SETTINGS_TEXTS.library}</strong> {PREVIEW_SETTINGS_TEXTS.libraryHelp}
        </li>
      </ol>
    </Card>
  );
}
