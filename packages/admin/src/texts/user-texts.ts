export const USER_TEXTS = {
  listTitle: 'Users',
  listText: 'People who can sign in. Owners can do everything; editors work on content.',
  newTitle: 'New user',
  newText: 'Galley does not send email. You need to give the person their password yourself.',
  create: 'Create user',
  toCreate: 'New user',
  name: 'Name',
  email: 'Email',
  role: 'Role',
  roleHelp: {
    owner: 'Everything, including sites, keys, users and the audit log.',
    editor: 'Content, authors and assets on all sites.',
  },
  ownRole: 'You can’t change your own role. Ask another owner.',
  state: 'State',
  states: { active: 'Active', suspended: 'Suspended' },
  lastSignIn: 'Last sign-in',
  createdAt: 'Created',
  you: 'You',
  password: 'Password',
  passwordHelp: 'At least 12 characters.',
  generate: 'Generate',
  profile: 'Profile',
  id: 'user ID',
  resetTitle: 'Password',
  resetIntro: 'Setting a new password will sign this user out everywhere.',
  newPassword: 'New password',
  reset: 'Set password',
  ownPasswordIntro: 'You need your current password to change it.',
  changeOwn: 'Change your password',
  accessTitle: 'Access',
  activeIntro:
    'A suspended user is signed out everywhere and cannot sign in. The management tokens that they created stop working. Their entries stay in the audit log.',
  suspendedIntro: 'This user cannot sign in.',
  suspend: 'Suspend user',
  suspendTitle: (name: string) => `Suspend ${name}?`,
  suspendText: 'This user will be signed out everywhere immediately. You can reactivate them at any time.',
  stoppedTokens: (count: number) =>
    count === 1
      ? 'One management token that they created won’t work while they are suspended.'
      : `${count} management tokens that they created won’t work while they are suspended.`,
  knownSecrets: (sites: readonly string[]) =>
    sites.length === 1
      ? `They may know the preview secret of ${sites[0]}. Replace it in the site’s preview settings.`
      : `They may know the preview secrets of ${new Intl.ListFormat('en').format(sites)}. Replace them in the preview settings of these sites.`,
  demotedTokens: (count: number) =>
    count === 1
      ? 'One owner token that they created will stop working.'
      : `${count} owner tokens that they created will stop working.`,
  suspended: (name: string) => `${name} was suspended.`,
  reinstate: 'Reactivate',
  reinstated: (name: string) => `${name} was reactivated.`,
  remove: 'Delete user',
  removeIntro: 'Permanently deletes the user. Their changes stay in the history, without their name.',
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText:
    'They will be signed out everywhere immediately, and the management tokens that they created will stop working. Versions and the audit log will show “Deleted user”. This cannot be undone.',
  removeOwnText:
    'You will be signed out, and the management tokens that you created will stop working. Versions and the audit log will show “Deleted user” instead of your name. This cannot be undone.',
  removed: (name: string) => `${name} was deleted.`,
  doings: 'Show in the audit log',
  createdTitle: 'User created',
  resetDoneTitle: 'Password set',
  handOver: 'Copy this now and send it securely. You won’t be able to see the password again.',
  access: 'Sign-in details',
  accessOf: (url: string, email: string, password: string) =>
    `URL:      ${url}\nEmail:    ${email}\nPassword: ${password}`,
  afterwards: 'They can change the password after they sign in.',
  done: 'Done',
} as const;
