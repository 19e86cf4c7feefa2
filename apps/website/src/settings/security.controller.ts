import { Controller, Get, Param, Post, Redirect } from '@nestjs/common';
import { formProblemOf } from '../results/form-problem';
import { FormResult } from '../results/form-result';
import type { Page } from '../results/page';
import { CurrentVisit } from '../visits/current-visit';
import { fieldText, typedProof } from '../visits/form-fields';
import { ignoreNotFound } from '../visits/errors';
import type { Visit } from '../visits/visit';
import { idOf } from '../visits/query-parameters';
import { newAppPage } from './new-app-page';
import { recoveryCodesPage } from './recovery-codes-page';
import { securityPage, type SecurityProps } from './security-page';

const HERE = '/settings/security';
const TRANSPORTS = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

/** Second factors, passkeys and the history of logins. Pages with secrets are answers to forms, so nothing stores them. */
@Controller('settings/security')
export class SecurityController {
  @Get()
  show(@CurrentVisit() visit: Visit): Promise<Page> {
    return this.page(visit);
  }

  /** Redirects a GET of a form's address, for example a reload after errors were shown there. */
  @Get(['app', 'app/confirm', 'app/remove', 'passkeys', 'recovery-codes', 'passkeys/:id/:action'])
  @Redirect(HERE, 303)
  showForm(): void {}

  @Post('app')
  async beginApp(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    try {
      return newAppPage({ app: await visit.api.security.beginApp(typedProof(visit)) });
    } catch (error) {
      return this.page(visit, { form: 'app', problem: formProblemOf(error, visit) });
    }
  }

  @Post('app/confirm')
  async confirmApp(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      const { recovery_codes: codes } = await visit.api.security.confirmApp({
        code: fieldText(visit, 'code'),
      });
      return turnedOn(visit, codes, 'The authenticator app is on.');
    } catch (error) {
      return newAppPage({ problem: formProblemOf(error, visit) });
    }
  }

  @Post('app/remove')
  async removeApp(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      await ignoreNotFound(visit.api.security.removeApp(typedProof(visit)));
    } catch (error) {
      return this.page(visit, { form: 'app', problem: formProblemOf(error, visit) });
    }
    visit.forgetViewer();
    return new FormResult({ goTo: HERE, notice: 'The authenticator app is off.' });
  }

  /** For the page's script. */
  @Post('passkeys/options')
  async passkeyOptions(@CurrentVisit() visit: Visit): Promise<FormResult> {
    await visit.requireViewer();
    const { options } = await visit.api.security.beginPasskey(typedProof(visit));
    return new FormResult({ goTo: HERE, data: { options } });
  }

  @Post('passkeys')
  async addPasskey(@CurrentVisit() visit: Visit): Promise<Page | FormResult> {
    await visit.requireViewer();
    const sent = fieldText(visit, 'passkey_transports').split(',');
    const transports = TRANSPORTS.filter((transport) => sent.includes(transport));
    try {
      const { recovery_codes: codes } = await visit.api.security.addPasskey({
        name: fieldText(visit, 'name').trim(),
        passkey_id: fieldText(visit, 'passkey_id'),
        passkey_client_data: fieldText(visit, 'passkey_client_data'),
        passkey_attestation: fieldText(visit, 'passkey_attestation'),
        ...(transports.length > 0 && { passkey_transports: transports }),
      });
      return turnedOn(visit, codes, 'The passkey was added.');
    } catch (error) {
      return this.page(visit, { form: 'passkey', problem: formProblemOf(error, visit) });
    }
  }

  @Post('passkeys/:id/rename')
  async renamePasskey(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      await visit.api.security.renamePasskey(idOf(id), { name: fieldText(visit, 'name').trim() });
    } catch (error) {
      return this.page(visit, { form: `remove-${idOf(id)}`, problem: formProblemOf(error, visit) });
    }
    return new FormResult({ goTo: HERE, notice: 'The passkey was renamed.' });
  }

  @Post('passkeys/:id/remove')
  async removePasskey(@CurrentVisit() visit: Visit, @Param('id') id: string): Promise<Page | FormResult> {
    await visit.requireViewer();
    try {
      await ignoreNotFound(visit.api.security.removePasskey(idOf(id), typedProof(visit)));
    } catch (error) {
      return this.page(visit, { form: `remove-${idOf(id)}`, problem: formProblemOf(error, visit) });
    }
    visit.forgetViewer();
    return new FormResult({ goTo: HERE, notice: 'The passkey was removed.' });
  }

  @Post('recovery-codes')
  async replaceRecoveryCodes(@CurrentVisit() visit: Visit): Promise<Page> {
    await visit.requireViewer();
    try {
      return recoveryCodesPage(await visit.api.security.replaceRecoveryCodes(typedProof(visit)));
    } catch (error) {
      return this.page(visit, { form: 'codes', problem: formProblemOf(error, visit) });
    }
  }

  private async page(visit: Visit, refused?: SecurityProps['refused']): Promise<Page> {
    const { username } = await visit.requireViewer();
    const [security, logins] = await Promise.all([visit.api.security.get(), visit.api.security.logins()]);
    return securityPage({ security, logins, username, ...(refused && { refused }) });
  }
}

function turnedOn(visit: Visit, codes: readonly string[] | null, notice: string): Page | FormResult {
  visit.forgetViewer();
  return codes ? recoveryCodesPage(codes) : new FormResult({ goTo: HERE, notice });
}
