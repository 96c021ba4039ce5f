import type { PreviewSettingsBody } from '@galley/wire';
import { ActionIcon, SegmentedControl, Select, Tooltip, VisuallyHidden } from '@mantine/core';
import {
  IconArrowsHorizontal,
  IconDeviceDesktop,
  IconDeviceMobile,
  IconDeviceTablet,
  IconExternalLink,
  IconReload,
  IconX,
} from '@tabler/icons-react';
import { useLanguageNames } from '../../sites/use-language-names.ts';
import { PREVIEW_TEXTS } from '../../texts/preview-texts.ts';
import type { ShownPages } from './open-preview.ts';
import classes from './preview-bar.module.css';
import { changePreviewView, DEVICES, type Device, type PreviewMode, usePreviewView } from './preview-view.ts';

const DEVICE_ICONS = {
  fit: IconArrowsHorizontal,
  phone: IconDeviceMobile,
  tablet: IconDeviceTablet,
  desktop: IconDeviceDesktop,
} as const;

type Address = PreviewSettingsBody['addresses'][number];

interface PreviewBarProps {
  readonly site: string;
  readonly language: string;
  readonly mode: PreviewMode;
  readonly address: Address;
  readonly addresses: readonly Address[];
  /** Undefined until the preview is open. */
  readonly pages?: ShownPages;
  readonly onReload?: () => void;
  readonly onOpenTab?: () => void;
}

export function PreviewBar(props: PreviewBarProps) {
  const { site, language, mode, address, addresses, pages, onReload, onOpenTab } = props;
  const view = usePreviewView();
  const nameLanguage = useLanguageNames(site);
  const languageName = nameLanguage(language);
  return (
    <div className={classes.bar}>
      <div className={classes.page}>
        {addresses.length === 1 ? (
          <span className={classes.name} title={address.address}>
            {address.name}
          </span>
        ) : (
          <Select
            size="xs"
            className={classes.address}
            aria-label={PREVIEW_TEXTS.address}
            allowDeselect={false}
            data={addresses.map(({ id, name }) => ({ value: id, label: name }))}
            value={address.id}
            onChange={(id) => {
              if (id !== null) changePreviewView({ addresses: { ...view.addresses, [site]: id } });
            }}
          />
        )}
        <span className={classes.language} title={PREVIEW_TEXTS.language(languageName)}>
          {languageName}
        </span>
        {pages !== undefined && <PageState pages={pages} />}
      </div>
      {mode === 'beside' && (
        <SegmentedControl
          size="xs"
          aria-label={PREVIEW_TEXTS.device}
          value={view.device}
          onChange={(device: Device) => changePreviewView({ device })}
          data={DEVICES.map((device) => ({ value: device, label: <DeviceLabel device={device} /> }))}
        />
      )}
      <div className={classes.actions}>
        <Tooltip label={PREVIEW_TEXTS.reload}>
          <ActionIcon aria-label={PREVIEW_TEXTS.reload} disabled={onReload === undefined} onClick={onReload}>
            <IconReload size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        <Tooltip label={PREVIEW_TEXTS.openTab}>
          <ActionIcon aria-label={PREVIEW_TEXTS.openTab} disabled={onOpenTab === undefined} onClick={onOpenTab}>
            <IconExternalLink size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
        {mode === 'beside' && (
          <Tooltip label={PREVIEW_TEXTS.close}>
            <ActionIcon aria-label={PREVIEW_TEXTS.close} onClick={() => changePreviewView({ isOpen: false })}>
              <IconX size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        )}
      </div>
    </div>
  );
}

function DeviceLabel({ device }: { readonly device: Device }) {
  const Icon = DEVICE_ICONS[device];
  return (
    <Tooltip label={PREVIEW_TEXTS.devices[device]}>
      <span className={classes.device}>
        <Icon size={15} aria-hidden />
        <VisuallyHidden>{PREVIEW_TEXTS.devices[device]}</VisuallyHidden>
      </span>
    </Tooltip>
  );
}

/** A dot that shows whether the page follows the form. */
function PageState({ pages }: { readonly pages: ShownPages }) {
  const text = describePages(pages);
  return (
    <Tooltip label={text} disabled={text === ''}>
      <output className={classes.state} data-status={pages.frame} data-live={pages.isFrameLive || undefined}>
        <VisuallyHidden>{text}</VisuallyHidden>
      </output>
    </Tooltip>
  );
}

function describePages({ frame, isFrameLive, tab }: ShownPages): string {
  const { statuses } = PREVIEW_TEXTS;
  const parts = [
    ...(frame === 'loading' ? [PREVIEW_TEXTS.loading] : []),
    ...(frame === 'connected' ? [isFrameLive ? statuses.live : statuses.loaded] : []),
    ...(frame === 'silent' ? [statuses.loaded] : []),
    ...(tab === 'closed' ? [] : [statuses.tab]),
  ];
  return parts.join('. ');
}
