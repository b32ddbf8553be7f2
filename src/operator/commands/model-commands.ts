import type { Command } from 'commander';
import { ModelAliases, type ModelAlias } from '../../catalogue/names/model-aliases.js';
import { notFound } from '../../kernel/errors/errors.js';
import { recorded } from '../operator-audit.js';
import type { OpenOperator } from '../operator-session.js';
import { print } from '../output.js';
import { modelPriceCommand } from './model-price-command.js';

interface Options {
  readonly json?: boolean;
}

const idOf = ({ name }: ModelAlias): { id: string } => ({ id: name });

/** `models alias set`, `list` and `remove`, `models price set`. */
export function modelCommands(program: Command, open: OpenOperator): void {
  const models = program.command('models').description('names and prices of models');
  modelPriceCommand(models, open);
  const alias = models
    .command('alias')
    .description(
      "names that requests may use in place of a model's slug, such as claude-opus-4-7.\nA vendor's own name of a " +
        'model needs no alias, unless several models have it.',
    );
  alias
    .command('set <name> <slugs...>')
    .description(
      'define a name for the model with this slug, on every replica; further slugs are used if that model ' +
        'cannot serve. Replaces an earlier alias',
    )
    .action((name: string, slugs: string[], { json }: Options) =>
      open(async (rooms) => {
        const set = await rooms.get(ModelAliases).set(name, slugs, recorded(rooms, 'update', 'model_alias', idOf));
        print([rowOf(set)], json);
      }),
    );
  alias
    .command('list')
    .description('list every alias, by name')
    .action(({ json }: Options) =>
      open(async (rooms) => {
        const aliases = await rooms.get(ModelAliases).list();
        print(aliases.map(rowOf), json);
      }),
    );
  alias
    .command('remove <name>')
    .description('remove an alias, on every replica')
    .action((name: string, { json }: Options) =>
      open(async (rooms) => {
        const removed = await rooms.get(ModelAliases).remove(name, recorded(rooms, 'delete', 'model_alias', idOf));
        if (!removed) throw notFound(`There is no alias ${name}: \`models alias list\` shows all aliases`);
        print([rowOf(removed)], json);
      }),
    );
}

const rowOf = ({ name, models, setAt }: ModelAlias): object => ({ name, model: models.join(' '), set_at: setAt });
