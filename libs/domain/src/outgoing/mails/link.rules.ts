import { hash } from 'node:crypto';
import { isBase62, randomBase62 } from '../../base/identifiers/random-base62';
import type { LinkPurpose } from './mail.types';

/** 202 random bits. */
const LENGTH = 34;

/** How long links are valid, in minutes. */
export const LINK_MINUTES: Readonly<Record<LinkPurpose, number>> = {
  'verify-email': 24 * 60,
  'reset-password': 30,
};

const PATHS: Readonly<Record<LinkPurpose, string>> = {
  'verify-email': '/verify-email',
  'reset-password': '/reset-password',
};

/** A new code of a link, from the system's random source. */
export const mintLinkCode = (): string => randomBase62(LENGTH);

/** Whether a text can be a code, so that typing errors don't reach the database. */
export const isLinkCode = (text: string): boolean => isBase62(text, LENGTH);

/** The hash of a code that is stored. 202 random bits need no slow hash. */
export const linkCodeHash = (code: string): Buffer => hash('sha256', code, 'buffer');

/** The address of the website's page for a link. `site` is the address of the website. */
export const linkUrl = (site: string, purpose: LinkPurpose, code: string): string =>
  `${site}${PATHS[purpose]}?code=${code}`;
