import { Controller, Get, Param, Post } from '@nestjs/common';
import type { AnswerOf } from '@vitrine/client';
import type { JSX } from 'preact';
import { type FormProblem, formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { typedProof } from '../visits/form-fields';
import type { Visit } from '../visits/visit';
import { adminPage } from './admin-frame';
import { ConfirmResetLinkPage, RemoveFactorsPage, ResetLinkPage } from './person-confirmations';
import type { Person } from './person-page';

/** Helps people who can't log in, each after a confirmation. */
@Controller('admin/people/:username')
export class PersonAccessController {
  @Get('reset-link')
  async confirmResetLink(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    return this.page(visit, username, (person, admin) => (
      <ConfirmResetLinkPage person={person} admin={admin} />
    ));
  }

  /** The response contains the link. A redirect to another page would require storing it. */
  @Post('reset-link')
  async createResetLink(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    await visit.requireViewer();
    let link: AnswerOf<'createResetLink'>;
    try {
      link = await visit.api.admin.createResetLink(username, typedProof(visit), {
        idempotencyKey: visit.idempotencyKey,
      });
    } catch (error) {
      const problem = formProblemOf(error, visit);
      return await this.page(
        visit,
        username,
        (person, admin) => <ConfirmResetLinkPage person={person} admin={admin} problem={problem} />,
        problem,
      );
    }
    return this.page(visit, username, (person) => <ResetLinkPage person={person} link={link} />);
  }

  @Get('second-factors')
  async confirmRemoval(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    return this.page(visit, username, (person, admin) => <RemoveFactorsPage person={person} admin={admin} />);
  }

  @Post('second-factors')
  async removeFactors(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
  ): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      await visit.api.admin.removeSecondFactorsOf(username, typedProof(visit));
    } catch (error) {
      const problem = formProblemOf(error, visit);
      return await this.page(
        visit,
        username,
        (person, admin) => <RemoveFactorsPage person={person} admin={admin} problem={problem} />,
        problem,
      );
    }
    return new FormResult({
      goTo: `/admin/people/${encodeURIComponent(username)}`,
      notice: `The second factors of ${username} were removed.`,
    });
  }

  private async page(
    visit: Visit,
    username: string,
    body: (person: Person, admin: string) => JSX.Element,
    problem?: FormProblem,
  ): Promise<Page> {
    const { username: admin } = await visit.requireViewer();
    const person = await visit.api.admin.getPerson(username);
    return adminPage({
      title: person.username,
      path: '/admin',
      status: problem?.status ?? 200,
      body: body(person, admin),
    });
  }
}
