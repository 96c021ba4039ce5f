// The doctor's findings for a person: grouped, a mark in front of each, and what to do below what is not right.

import { CHECK_GROUPS, type Check, type CheckStatus } from '../doctor/check.ts';
import { cleanText, type Paint } from './paint.ts';

export function renderChecks(checks: readonly Check[], paint: Paint): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const sections = CHECK_GROUPS.map((group) => {
    const lines = checks.filter((check) => check.group === group).flatMap((check) => renderCheck(check, width, paint));
    return lines.length === 0 ? [] : [paint('title', group), ...lines];
  });
  const text = sections.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return [...text, renderVerdict(checks, paint)].join('\n\n');
}

function renderCheck({ name, status, message, advice }: Check, width: number, paint: Paint): readonly string[] {
  const line = `  ${renderMark(status, paint)} ${name.padEnd(width)}  ${cleanText(message)}`;
  return advice === null ? [line] : [line, `    ${' '.repeat(width)}  ${paint('dim', cleanText(advice))}`];
}

function renderMark(status: CheckStatus, paint: Paint): string {
  if (status === 'ok') return paint('dim', '✓');
  return status === 'warning' ? paint('yellow', '!') : paint('red', '✗');
}

function renderVerdict(checks: readonly Check[], paint: Paint): string {
  const problems = count(checks, 'problem');
  const warnings = count(checks, 'warning');
  if (problems === undefined && warnings === undefined) return 'All is well.';
  const parts = [problems && paint('red', problems), warnings && paint('yellow', warnings)];
  return `${parts.filter((part) => part !== undefined).join(', ')}.`;
}

/** `2 problems`, or undefined where there is none. */
export function count(checks: readonly Check[], status: CheckStatus): string | undefined {
  const number = checks.filter((check) => check.status === status).length;
  return number === 0 ? undefined : `${number} ${status}${number === 1 ? '' : 's'}`;
}
