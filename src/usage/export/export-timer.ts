import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { isDatabaseUnavailable } from '../../database/database-faults.js';
import { Sql } from '../../database/sql.js';
import { Periodic } from '../../kernel/scheduling/periodic.js';
import { GenerationExport } from './generation-export.js';
import { ProviderNames } from '../provider-names.port.js';

/** A batch contains the calls that were recorded since the previous batch. */
const EXPORT_EVERY_MS = 2_000;

/** Runs the export of records in every replica. Only one replica exports at a time. */
@Injectable()
export class ExportTimer implements OnApplicationBootstrap, OnModuleDestroy {
  readonly #log = new Logger('webhooks');
  readonly #export: GenerationExport;
  readonly #rounds = new Periodic(
    async () => {
      while (await this.#export.step());
    },
    (error) => {
      if (!isDatabaseUnavailable(error))
        this.#log.warn(`Records could not be exported; this is retried: ${error.message}`);
    },
  );

  constructor(sql: Sql, names: ProviderNames) {
    this.#export = new GenerationExport(sql, names);
  }

  onApplicationBootstrap(): void {
    this.#rounds.start(EXPORT_EVERY_MS);
  }

  async onModuleDestroy(): Promise<void> {
    await this.#rounds.stop();
  }
}
