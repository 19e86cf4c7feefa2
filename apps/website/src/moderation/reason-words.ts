import { REPORT_REASONS } from '../components/report-form';

const AUTOMATION: Readonly<Record<string, string>> = {
  classifier_safe: 'Automation found it safe',
  classifier_unsafe: 'Automation found it unsafe',
  classifier_unsure: 'Automation was unsure',
  classifier_failed: 'Automation could not look',
  partly_seen: 'Has pictures that automation did not see',
  banned_hash: 'Looks like something banned',
  processing_failed: 'Could not be processed',
  processing_again: 'Processed once more',
  moderator: 'A moderator’s decision',
  owner: 'The owner’s word',
  content_changed: 'Changed since a moderator decided',
};

const reported = new Map<string, string>(REPORT_REASONS);

/** A reason code of the queue or the log in words; codes that are new to this site as they are. */
export const reasonInWords = (code: string): string => reported.get(code) ?? AUTOMATION[code] ?? code;

export const isReported = (code: string): boolean => reported.has(code);
