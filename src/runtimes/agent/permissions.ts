import type { Answer, PermissionOption, Question, SecretNotice, TurnRequest } from '../turn.ts';
import type { Session } from './session.ts';
import { ToolError, type ToolPermission } from './tools/tool.ts';

const OPTIONS: readonly PermissionOption[] = ['allow_once', 'allow_always', 'reject_once', 'reject_always'];

type Ask = (question: Question, host?: string) => Promise<Answer>;

/**
 * Decides whether a call may run. In manual mode the user decides; "always" is valid for the session. A host that is
 * neither allowed nor bound to a secret needs the user's permission. Without manual mode, such a host is refused.
 */
export class Permissions {
  readonly #hosts: ReadonlySet<string>;
  readonly #secrets: readonly SecretNotice[];
  /**
   * Additional hosts that the user allowed. The proxy allows them only for this boot, so they are not stored in a file.
   */
  readonly #opened: Set<string>;
  readonly #isManual: boolean;
  readonly #session: Session;
  readonly #ask: Ask;

  constructor(request: TurnRequest, secrets: readonly SecretNotice[], session: Session, opened: Set<string>, ask: Ask) {
    this.#hosts = new Set([...request.allowedHosts, ...secrets.flatMap(({ hosts }) => hosts)]);
    this.#secrets = secrets;
    this.#opened = opened;
    this.#isManual = request.approvalMode === 'manual';
    this.#session = session;
    this.#ask = ask;
  }

  /** Throws a ToolError if the call must not run. */
  async require(permission: ToolPermission): Promise<void> {
    const { scope, host } = permission;
    const isOutside = host !== undefined && !this.#hosts.has(host) && !this.#opened.has(host);
    if (!this.#isManual) {
      if (isOutside) throw new ToolError(`The host ${host} is not allowed: no secret is bound to it`);
      return;
    }
    const decided = this.#session.permissionOf(scope);
    if (decided === 'reject_always') throw new ToolError('The user does not permit this');
    if (decided === 'allow_always' && !isOutside) return;
    const question: Question = { kind: 'permission', operation: this.#textOf(permission, isOutside), options: OPTIONS };
    const answer = await this.#ask(question, isOutside ? host : undefined);
    const option = answer.kind === 'permission' ? answer.option : 'cancel';
    if (option === 'allow_always' || option === 'reject_always') await this.#session.setPermission(scope, option);
    if (option === 'allow_always' && isOutside) this.#opened.add(host);
    if (option === 'cancel') throw new ToolError('The user dismissed the question: this was not done');
    if (option === 'reject_once' || option === 'reject_always') throw new ToolError('The user does not permit this');
  }

  /** The text of the question: the call, the secrets that it uses, a host that it opens, and the scope of "always". */
  #textOf({ operation, covers, host, filled = [] }: ToolPermission, isOutside: boolean): string {
    const used = this.#secrets.filter(({ placeholder }) => filled.some((text) => text.includes(placeholder)));
    return [
      operation,
      ...(used.length > 0 ? [`Secrets that are filled in: ${used.map(({ name }) => name).join(', ')}`] : []),
      ...(isOutside ? [`Opens the host ${host} to the intern: for this turn, or with "always" until it restarts`] : []),
      `"Always" covers, in this session: ${covers}`,
    ].join('\n');
  }
}
