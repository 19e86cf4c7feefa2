import { Controller, Get, Param, Post } from '@nestjs/common';
import { ROLES } from '@vitrine/contracts';
import { type FormProblem, formProblemOf, invalidFormError } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldLines, fieldText, typedProof } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/query-parameters';
import { adminPage } from './admin-frame';
import { DeletePersonPage, type TypedDeletion } from './delete-person-page';
import { PersonPage } from './person-page';
import { readQuota, type TypedQuota } from './person-quota';

const ENTRIES_SHOWN = 20;

const pathOf = (username: string): string => `/admin/people/${encodeURIComponent(username)}`;

/** One account, and what admins can do with it. */
@Controller('admin/people/:username')
export class PersonController {
  @Get()
  async show(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    return this.page(visit, username);
  }

  @Post('role')
  async changeRole(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
  ): Promise<Page | FormResult> {
    const viewer = await visit.requireViewer();
    const role = ROLES.find((known) => known === fieldText(visit, 'role'));
    try {
      if (role === undefined) throw invalidFormError({ role: ['Choose a role.'] });
      await visit.api.admin.changeRole(username, { role, ...typedProof(visit) });
    } catch (error) {
      return await this.page(visit, username, formProblemOf(error, visit));
    }
    const own = viewer.username.toLowerCase() === username.toLowerCase();
    if (own) visit.forgetViewer();
    const goTo = own && role !== 'admin' ? '/' : pathOf(username);
    return new FormResult({ goTo, notice: `${username} has the role ${role}.` });
  }

  @Post('quota')
  async changeQuota(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
  ): Promise<Page | FormResult> {
    await visit.requireViewer();
    const typed = { bytes: fieldText(visit, 'bytes').trim(), files: fieldText(visit, 'files').trim() };
    try {
      await visit.api.admin.changeQuota(username, { ...readQuota(typed), ...typedProof(visit) });
    } catch (error) {
      return await this.page(visit, username, formProblemOf(error, visit), typed);
    }
    return new FormResult({ goTo: pathOf(username), notice: `The quota of ${username} was changed.` });
  }

  @Post('sessions/end')
  async endSessions(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<FormResult> {
    await visit.requireViewer();
    await visit.api.admin.endSessionsOf(username);
    return new FormResult({ goTo: pathOf(username), notice: `All sessions of ${username} have ended.` });
  }

  @Post('sessions/:id/end')
  async endSession(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
    @Param('id') id: string,
  ): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.admin.endSessionOf(username, idOf(id)));
    return new FormResult({ goTo: pathOf(username), notice: 'The session has ended.' });
  }

  @Post('tokens/:id/revoke')
  async revokeToken(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
    @Param('id') id: string,
  ): Promise<FormResult> {
    await visit.requireViewer();
    await ignoreNotFound(visit.api.admin.revokeTokenOf(username, idOf(id)));
    return new FormResult({ goTo: pathOf(username), notice: 'The token was revoked.' });
  }

  @Get('delete')
  async confirmDeletion(@CurrentVisit() visit: Visit, @Param('username') username: string): Promise<Page> {
    return this.deletionPage(visit, username, { username: '', reason: '' });
  }

  @Post('delete')
  async delete(
    @CurrentVisit() visit: Visit,
    @Param('username') username: string,
  ): Promise<Page | FormResult> {
    await visit.requireViewer();
    const typed = {
      username: fieldText(visit, 'username').trim(),
      reason: fieldLines(visit, 'reason').trim(),
    };
    try {
      await visit.api.admin.deletePerson(username, { ...typed, ...typedProof(visit) });
    } catch (error) {
      return await this.deletionPage(visit, username, typed, formProblemOf(error, visit));
    }
    return new FormResult({ goTo: '/admin', notice: `The account ${username} was deleted.` });
  }

  private async page(
    visit: Visit,
    username: string,
    problem?: FormProblem,
    quota?: TypedQuota,
  ): Promise<Page> {
    const { username: viewer } = await visit.requireViewer();
    const { admin } = visit.api;
    const [person, sessions, tokens, log] = await Promise.all([
      admin.getPerson(username),
      admin.sessionsOf(username),
      admin.tokensOf(username),
      admin.auditLog.list({ subject: username, limit: ENTRIES_SHOWN }),
    ]);
    return adminPage({
      title: person.username,
      path: '/admin',
      status: problem?.status ?? 200,
      body: (
        <PersonPage
          person={person}
          admin={viewer}
          sessions={sessions}
          tokens={tokens}
          entries={log.data}
          quota={quota}
          problem={problem}
        />
      ),
    });
  }

  private async deletionPage(
    visit: Visit,
    username: string,
    typed: TypedDeletion,
    problem?: FormProblem,
  ): Promise<Page> {
    const { username: viewer } = await visit.requireViewer();
    const person = await visit.api.admin.getPerson(username);
    return adminPage({
      title: `Delete ${person.username}`,
      path: '/admin',
      status: problem?.status ?? 200,
      body: <DeletePersonPage person={person} admin={viewer} typed={typed} problem={problem} />,
    });
  }
}
