import { Controller, Get, Post, Query } from '@nestjs/common';
import { REPORT_TYPES, type ReportType } from '@vitrine/contracts';
import { invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { safePath } from '../visits/safe-path';
import { queryPage } from '../visits/query-parameters';
import type { Visit } from '../visits/visit';
import { DECISIONS, decisionsFor, isDecision } from './decisions';
import { moderationPage } from './moderation-frame';
import type { Subject } from './queue-item';
import { type LatestDecision, QueuePage } from './queue-page';
import { ContentChanged, Rulings } from './rulings';
import { UndoForm } from './undo-form';

/** Items on a page; the script loads more as they are decided. */
const QUEUE_PAGE = 20;

@Controller('moderation')
export class QueueController {
  constructor(private readonly rulings: Rulings) {}

  @Get()
  async queue(@CurrentVisit() visit: Visit, @Query() query: Record<string, unknown>): Promise<Page> {
    await visit.requireViewer();
    const page = queryPage(visit.request);
    const queue = await visit.api.moderation.queue.list({ limit: QUEUE_PAGE, page });
    return moderationPage({
      title: 'Moderation',
      path: '/moderation',
      scripts: ['moderation.js'],
      body: <QueuePage queue={queue} latest={latestOf(query)} path={visit.path} />,
    });
  }

  /** Executes a decision. Scripts get the form that undoes it, if it can be undone. */
  @Post('decisions')
  async decide(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const subject = subjectIn(visit);
    const decision = fieldText(visit, 'decision');
    if (!isDecision(decision) || !decisionsFor(subject.type).includes(decision)) throw unknown('decision');
    const revision = revisionIn(fieldText(visit, 'revision'));
    const { done, ruling } = DECISIONS[decision];
    const next = safePath(fieldText(visit, 'next') || '/moderation');
    const made = { subject, revision, decision, note: fieldText(visit, 'note').trim() };
    let bans: readonly number[];
    try {
      bans = await this.rulings.decide(visit, made);
    } catch (error) {
      if (!(error instanceof ContentChanged) || visit.wantsJson) throw error;
      // Without scripts, the moderator is sent to a page with the current post.
      return new FormResult({ goTo: `/moderation/${subject.type}/${subject.target}`, notice: error.message });
    }
    if (ruling === null) return new FormResult({ goTo: next, notice: `${done}.` });
    const latest = new URLSearchParams({
      ...subject,
      ...(revision !== undefined && { revision: String(revision) }),
      decision,
      bans: bans.join(','),
    });
    return new FormResult({
      goTo: next === '/moderation' ? `${next}?${latest.toString()}` : next,
      notice: `${done}.`,
      fragment: <UndoForm subject={subject} revision={revision} bans={bans} />,
    });
  }

  @Post('undo')
  async undo(@CurrentVisit() visit: Visit): Promise<FormResult> {
    const subject = subjectIn(visit);
    const revision = revisionIn(fieldText(visit, 'revision'));
    await this.rulings.undo(visit, subject, revision, idsIn(fieldText(visit, 'bans')));
    return new FormResult({
      goTo: `/moderation/${subject.type}/${subject.target}`,
      notice: 'The decision was undone.',
    });
  }
}

function subjectIn(visit: Visit): Subject {
  const subject = subjectFrom(fieldText(visit, 'type'), fieldText(visit, 'target'));
  if (!subject) throw unknown('target');
  return subject;
}

const subjectFrom = (type: unknown, target: unknown): Subject | null =>
  typeof target === 'string' && /^[\p{L}\p{N}_.-]{1,100}$/u.test(target) && isReportType(type)
    ? { type, target }
    : null;

const isReportType = (text: unknown): text is ReportType => REPORT_TYPES.some((type) => type === text);

const unknown = (field: string): Error => invalidFormError({ [field]: [`Unknown ${field}.`] });

const idsIn = (text: string): number[] =>
  text
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0);

/** The revision in a form or an address; undefined if there is none. */
const revisionIn = (text: unknown): number | undefined =>
  typeof text === 'string' && /^[1-9]\d{0,9}$/.test(text) ? Number(text) : undefined;

function latestOf({
  type,
  target,
  revision,
  decision,
  bans,
}: Record<string, unknown>): LatestDecision | null {
  const subject = subjectFrom(type, target);
  if (!subject || typeof decision !== 'string' || !isDecision(decision)) return null;
  return {
    subject,
    revision: revisionIn(revision),
    decision,
    bans: typeof bans === 'string' ? idsIn(bans) : [],
  };
}
