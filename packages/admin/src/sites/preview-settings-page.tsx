// A site's preview settings: the addresses, the secret, and the requirements for the website.

import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { isOutdated } from '../api/api-error.ts';
import { Card } from '../elements/card.tsx';
import { ConfirmDialog } from '../elements/confirm-dialog.tsx';
import { CodeBlock, CopyableId } from '../elements/copyable.tsx';
import { Page } from '../elements/page.tsx';
import { showToast } from '../elements/show-toast.tsx';
import { FormFrame, SaveButton } from '../forms/form-frame.tsx';
import { useApiForm } from '../forms/use-api-form.ts';
import { PREVIEW_SETTINGS_TEXTS } from '../texts/preview-texts.ts';
import { AddressInputs } from './address-inputs.tsx';
import {
  keepPreviewSettings,
  type PreviewSettings,
  previewSettingsQuery,
  rotatePreviewSecret,
  savePreviewAddresses,
} from './preview-queries.ts';
import classes from './preview-settings-page.module.css';
import {
  buildAddresses,
  createAddressDraft,
  hasNewOrigin,
  haveSameAddresses,
  readAddresses,
} from './preview-values.ts';
import { siteQuery } from './site-queries.ts';

const route = getRouteApi('/signed-in/sites/$site/preview');

export function PreviewSettingsPage() {
  const { site: id } = route.useParams();
  const { data: site } = useSuspenseQuery(siteQuery(id));
  const { data: settings } = useSuspenseQuery(previewSettingsQuery(id));
  return (
    <Page title={PREVIEW_SETTINGS_TEXTS.title} tabTitle={PREVIEW_SETTINGS_TEXTS.titleOf(site.name)} isNarrow>
      <Card title={PREVIEW_SETTINGS_TEXTS.addresses} intro={PREVIEW_SETTINGS_TEXTS.addressesIntro}>
        <Addresses site={id} latest={settings} />
      </Card>
      <Secret site={id} secret={settings.secret} />
      <Needs />
    </Page>
  );
}

interface AddressesProps {
  readonly site: string;
  /** The newest settings, which are also refreshed in the background. */
  readonly latest: PreviewSettings;
}

/** The settings that the form is based on. */
interface Base {
  readonly settings: PreviewSettings;
  /** Whether these settings replaced changes that could not be saved. */
  readonly isFromOther: boolean;
}

function Addresses({ site, latest }: AddressesProps) {
  const [{ settings, isFromOther }, setBase] = useState<Base>({ settings: latest, isFromOther: false });
  const isEdited = useRef(false);
  useEffect(() => {
    if (isEdited.current) return;
    setBase((base) => (base.settings.etag === latest.etag ? base : { settings: latest, isFromOther: false }));
  }, [latest]);
  return (
    <>
      {isFromOther && (
        <Alert color="yellow" role="alert">
          {PREVIEW_SETTINGS_TEXTS.changedByOther}
        </Alert>
      )}
      <AddressForm
        key={settings.etag}
        site={site}
        base={settings}
        latest={latest}
        isEdited={isEdited}
        onBase={setBase}
      />
    </>
  );
}

interface AddressFormProps extends AddressesProps {
  readonly base: PreviewSettings;
  /** Whether the form has unsaved changes. Newer settings do not replace such changes. */
  readonly isEdited: RefObject<boolean>;
  readonly onBase: (base: Base) => void;
}

function AddressForm({ site, base, latest, isEdited, onBase }: AddressFormProps) {
  const queryClient = useQueryClient();
  const known = readAddresses(base.addresses);
  // Replacing the secret changes the ETag too, but not the addresses.
  const { etag } = haveSameAddresses(base, latest) ? latest : base;
  const form = useApiForm({
    initial: { addresses: known.length === 0 ? [createAddressDraft()] : known },
    submit: async ({ addresses }) => {
      try {
        return await savePreviewAddresses(site, buildAddresses(addresses), etag);
      } catch (error) {
        if (isOutdated(error)) {
          const settings = await queryClient.fetchQuery({ ...previewSettingsQuery(site), staleTime: 0 });
          onBase({ settings, isFromOther: true });
        }
        throw error;
      }
    },
    onDone: (changed: PreviewSettings) => {
      // The policy of a loaded page does not change, so without a reload, the panel could not show pages from new addresses.
      if (hasNewOrigin(base.addresses, changed.addresses)) window.location.reload();
      keepPreviewSettings(queryClient, site, changed);
      onBase({ settings: changed, isFromOther: false });
      showToast({ text: PREVIEW_SETTINGS_TEXTS.saved });
    },
  });
  const { isChanged } = form;
  useEffect(() => {
    isEdited.current = isChanged;
  }, [isChanged, isEdited]);
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
    keepPreviewSettings(queryClient, site, await rotatePreviewSecret(site));
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
