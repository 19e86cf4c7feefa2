import { Controller, Get, Post } from '@nestjs/common';
import type { BodyOf } from '@vitrine/client';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText } from '../visits/form-fields';
import { queryText } from '../visits/query-parameters';
import { safePath } from '../visits/safe-path';
import type { Visit } from '../visits/visit';
import { ReportPage } from './report-page';

type Report = BodyOf<'createReport'>;

@Controller('reports')
export class ReportsController {
  /**
   * The page with the form. Its query has `type`, `target`, `next`, the `post` of a comment, and the `key` of a
   * private post.
   */
  @Get()
  async form(@CurrentVisit() visit: Visit): Promise<Page> {
    const text = (name: string): string => queryText(visit.request, name);
    return reportPage(visit, {
      type: text('type') || 'post',
      target: text('target'),
      next: safePath(text('next')),
      accessKey: text('key') || undefined,
      post: text('post') || undefined,
    });
  }

  @Post()
  async report(@CurrentVisit() visit: Visit): Promise<FormResult | Page> {
    const details = fieldText(visit, 'details').trim();
    const key = fieldText(visit, 'key') || undefined;
    const post = fieldText(visit, 'post') || undefined;
    const next = safePath(fieldText(visit, 'next'));
    // The API reports an unknown type.
    const report = {
      type: fieldText(visit, 'type') as Report['type'],
      target: fieldText(visit, 'target'),
      reason: fieldText(visit, 'reason') as Report['reason'],
      ...(details !== '' && { details }),
    };
    const contact = fieldText(visit, 'contact').trim();
    const proof = fieldText(visit, 'proof_of_work');
    const visitor = visit.hasSession
      ? {}
      : { ...(contact !== '' && { contact }), ...(proof !== '' && { proof_of_work: proof }) };
    try {
      await visit.api.reports.create(
        { ...report, ...visitor },
        { key, post },
        { idempotencyKey: visit.idempotencyKey },
      );
    } catch (error) {
      const problem = formProblemOf(error, visit);
      return reportPage(visit, { ...report, next, accessKey: key, post, contact, problem });
    }
    return new FormResult({ goTo: next, notice: 'Thank you. A moderator will review it.' });
  }
}

async function reportPage(
  visit: Visit,
  props: Omit<Parameters<typeof ReportPage>[0], 'asVisitor' | 'needsProof'>,
): Promise<Page> {
  const asVisitor = !(await visit.viewer());
  const needsProof = asVisitor && (await visit.api.site()).proof_of_work;
  return new Page({
    title: 'Report',
    status: props.problem?.status ?? 200,
    secret: true,
    head: { robots: 'noindex' },
    styles: ['post.css'],
    ...(needsProof && { scripts: ['account.js'] }),
    body: <ReportPage {...props} asVisitor={asVisitor} needsProof={needsProof} />,
  });
}
