// The sidebar entries in order: first those for the open site, then those for the account. Each section has a line here.

import {
  IconBuilding,
  IconFileText,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconLayoutGrid,
  IconPhoto,
  IconSettings,
  IconTemplate,
  IconTerminal2,
  IconUsers,
  IconWebhook,
  IconWriting,
} from '@tabler/icons-react';
import { linkOptions } from '@tanstack/react-router';
import { SHELL_TEXTS } from '../texts/shell-texts.ts';
import { TYPE_TEXTS } from '../texts/type-texts.ts';

export function listAccountEntries() {
  return [
    {
      label: SHELL_TEXTS.sites,
      icon: IconLayoutGrid,
      isForOwners: false,
      link: linkOptions({ to: '/sites', activeOptions: { exact: true } }),
    },
    { label: SHELL_TEXTS.keys, icon: IconKey, isForOwners: true, link: linkOptions({ to: '/account/keys' }) },
    {
      label: SHELL_TEXTS.tokens,
      icon: IconTerminal2,
      isForOwners: true,
      link: linkOptions({ to: '/account/tokens' }),
    },
    { label: SHELL_TEXTS.users, icon: IconUsers, isForOwners: true, link: linkOptions({ to: '/account/users' }) },
    {
      label: SHELL_TEXTS.organisation,
      icon: IconBuilding,
      isForOwners: true,
      link: linkOptions({ to: '/account/organisation' }),
    },
    {
      label: SHELL_TEXTS.auditLog,
      icon: IconHistory,
      isForOwners: true,
      link: linkOptions({ to: '/account/audit' }),
    },
  ];
}

export function listSiteEntries(site: string) {
  return [
    {
      label: SHELL_TEXTS.dashboard,
      icon: IconLayoutDashboard,
      isForOwners: false,
      link: linkOptions({ to: '/sites/$site', params: { site }, activeOptions: { exact: true } }),
    },
    {
      label: SHELL_TEXTS.content,
      icon: IconFileText,
      isForOwners: false,
      link: linkOptions({ to: '/sites/$site/content', params: { site } }),
    },
    {
      label: TYPE_TEXTS.navigation,
      icon: IconTemplate,
      isForOwners: false,
      link: linkOptions({ to: '/sites/$site/types', params: { site } }),
    },
    {
      label: SHELL_TEXTS.authors,
      icon: IconWriting,
      isForOwners: false,
      link: linkOptions({ to: '/sites/$site/authors', params: { site } }),
    },
    {
      label: SHELL_TEXTS.assets,
      icon: IconPhoto,
      isForOwners: false,
      link: linkOptions({ to: '/sites/$site/assets', params: { site } }),
    },
    {
      label: SHELL_TEXTS.webhooks,
      icon: IconWebhook,
      isForOwners: true,
      link: linkOptions({ to: '/sites/$site/webhooks', params: { site } }),
    },
    {
      label: SHELL_TEXTS.siteSettings,
      icon: IconSettings,
      isForOwners: false,
      link: linkOptions({ to: '/sites/$site/settings', params: { site } }),
    },
  ];
}
