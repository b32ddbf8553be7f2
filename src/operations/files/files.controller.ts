import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../auth/caller.decorator.js';
import { Config } from '../../config/config.js';
import { CalledFrom } from '../../http/called-from.decorator.js';
import { FailsWith } from '../../http/fails-with.decorator.js';
import { ReadsBody } from '../../http/reads-body.decorator.js';
import { sendBytes } from '../../http/send-bytes.js';
import { Sent } from '../../http/sent-file.decorator.js';
import type { SentFile } from '../../http/sent-file.js';
import type { CallerPlace } from '../../kernel/caller-place.js';
import type { Principal } from '../../kernel/principal.js';
import { FileQuery, ListFilesRequest } from './dto/files.request.dto.js';
import { FileDeletedResponse, FileListResponse, FileRecord } from './dto/files.response.dto.js';
import { FilesService, LARGEST_BODY } from './files.service.js';
import { FileWire } from './files.wire.js';

const BINARY = { type: 'string', format: 'binary' } as const;

@ApiTags('Files')
@Access('management')
@Controller('files')
export class FilesController {
  readonly #wire: FileWire;

  constructor(
    private readonly files: FilesService,
    config: Config,
  ) {
    this.#wire = new FileWire(config.values.WIRE_DIALECT);
  }

  /** The files of a workspace, oldest first. */
  @Get()
  @ApiOperation({ operationId: 'listFiles', summary: 'List files' })
  @ApiOkResponse({ type: FileListResponse, description: 'A page of files' })
  @FailsWith('forbidden', 'not_found')
  async list(@Query() request: ListFilesRequest, @Caller() caller: Principal): Promise<FileListResponse> {
    return this.#wire.list(await this.files.list(request, caller));
  }

  /**
   * Uploads a file of at most 104857600 bytes. What it is, is read from its contents: a PDF; a PNG, JPEG, GIF or WebP image; a DOCX,
   * XLSX or PPTX document; MP3, WAV, FLAC or OGG audio; or UTF-8 text (JSON, NDJSON, CSV, Markdown, plain).
   */
  @Post()
  @HttpCode(200)
  @ReadsBody({ as: 'stream', cap: LARGEST_BODY })
  @ApiOperation({ operationId: 'uploadFile', summary: 'Upload a file' })
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: { type: 'object', required: ['file'], properties: { file: BINARY } } })
  @ApiOkResponse({ type: FileRecord, description: 'The file, durably kept' })
  @FailsWith('forbidden')
  async upload(
    @Sent() sent: SentFile,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<FileRecord> {
    return this.#wire.record(await this.files.upload(sent, request, caller, place));
  }

  /** What is known of one file. */
  @Get(':file_id')
  @ApiOperation({ operationId: 'getFileMetadata', summary: 'Get file metadata' })
  @ApiOkResponse({ type: FileRecord, description: 'The file' })
  @FailsWith('forbidden', 'not_found')
  async get(
    @Param('file_id') id: string,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
  ): Promise<FileRecord> {
    return this.#wire.record(await this.files.get(id, request, caller));
  }

  /** Deletes a file and its bytes, for good. */
  @Delete(':file_id')
  @ApiOperation({ operationId: 'deleteFile', summary: 'Delete a file' })
  @ApiOkResponse({ type: FileDeletedResponse, description: 'It is gone' })
  @FailsWith('forbidden', 'not_found')
  async delete(
    @Param('file_id') id: string,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
    @CalledFrom() place: CallerPlace,
  ): Promise<FileDeletedResponse> {
    return this.#wire.deleted(await this.files.delete(id, request, caller, place));
  }

  /** The bytes of a file that the service made. Uploads are not downloadable and answer 400. */
  @Get(':file_id/content')
  @ApiOperation({ operationId: 'downloadFileContent', summary: 'Download file content' })
  @ApiOkResponse({ description: 'The bytes', content: { 'application/octet-stream': { schema: BINARY } } })
  @FailsWith('forbidden', 'not_found')
  async content(
    @Param('file_id') id: string,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
    @Res() response: Response,
  ): Promise<void> {
    const bytes = await this.files.content(id, request, caller);
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' });
    await sendBytes(response, bytes);
  }
}
