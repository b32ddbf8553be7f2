import { Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Access } from '../../auth/access.decorator.js';
import { Caller } from '../../http/edge/caller.decorator.js';
import { Config } from '../../config/config.js';
import { FailsWith } from '../../http/errors/fails-with.decorator.js';
import { ReadsBody } from '../../http/body/reads-body.decorator.js';
import { Operation } from '../../http/openapi/operation.decorator.js';
import { sendBytes } from '../../http/reply/send-bytes.js';
import { Sent } from '../../http/reply/sent-file.decorator.js';
import type { SentFile } from '../../http/reply/sent-file.js';
import type { Principal } from '../../kernel/principal.js';
import { FileQuery, ListFilesRequest } from './dto/files.request.dto.js';
import { FileDeletedResponse, FileListResponse, FileRecord } from './dto/files.response.dto.js';
import { FilesService, MAX_FORM_BYTES } from './files.service.js';
import { FileWire } from './files.wire.js';

const BINARY = { type: 'string', format: 'binary' } as const;

@ApiTags('Files')
@Access('management', 'files')
@Controller('files')
export class FilesController {
  readonly #wire: FileWire;

  constructor(
    private readonly files: FilesService,
    config: Config,
  ) {
    this.#wire = new FileWire(config.values.WIRE_DIALECT);
  }

  @Get()
  @Operation('listFiles', 'List files', 'Returns the files of a workspace, oldest first.')
  @ApiOkResponse({ type: FileListResponse, description: 'A page of files' })
  @FailsWith('forbidden', 'not_found')
  async list(@Query() request: ListFilesRequest, @Caller() caller: Principal): Promise<FileListResponse> {
    return this.#wire.list(await this.files.list(request, caller));
  }

  @Post()
  @HttpCode(200)
  @ReadsBody({ as: 'stream', cap: MAX_FORM_BYTES })
  @Operation(
    'uploadFile',
    'Upload a file',
    'Uploads a file of 1 to 104857600 bytes of any kind. Its type is read from the contents: a PDF; a PNG, ' +
      'JPEG, GIF or WebP image; a DOCX, XLSX or PPTX document; MP3, WAV, FLAC or OGG audio; UTF-8 text (JSON, ' +
      'NDJSON, CSV, Markdown, plain); anything else is `application/octet-stream`. Other parts of the form ' +
      'are ignored.',
  )
  @ApiConsumes('multipart/form-data')
  @ApiBody({ schema: { type: 'object', required: ['file'], properties: { file: BINARY } } })
  @ApiOkResponse({ type: FileRecord, description: 'The stored file' })
  @FailsWith('forbidden')
  async upload(@Sent() sent: SentFile, @Query() request: FileQuery, @Caller() caller: Principal): Promise<FileRecord> {
    return this.#wire.record(await this.files.upload(sent, request, caller));
  }

  @Get(':file_id')
  @Operation('getFileMetadata', 'Get file metadata', 'Returns the metadata of one file.')
  @ApiOkResponse({ type: FileRecord, description: 'The file' })
  @FailsWith('forbidden', 'not_found')
  async get(
    @Param('file_id') id: string,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
  ): Promise<FileRecord> {
    return this.#wire.record(await this.files.get(id, request, caller));
  }

  @Delete(':file_id')
  @Operation('deleteFile', 'Delete a file', 'Deletes a file and its bytes permanently.')
  @ApiOkResponse({ type: FileDeletedResponse, description: 'Deleted' })
  @FailsWith('forbidden', 'not_found')
  async delete(
    @Param('file_id') id: string,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
  ): Promise<FileDeletedResponse> {
    return this.#wire.deleted(await this.files.delete(id, request, caller));
  }

  @Get(':file_id/content')
  @Operation(
    'downloadFileContent',
    'Download file content',
    'Returns the bytes of a file that the service generated. Uploads cannot be downloaded: 400.',
  )
  @ApiOkResponse({ description: 'The bytes', content: { 'application/octet-stream': { schema: BINARY } } })
  @FailsWith('forbidden', 'not_found')
  async content(
    @Param('file_id') id: string,
    @Query() request: FileQuery,
    @Caller() caller: Principal,
    @Res() response: Response,
  ): Promise<void> {
    const { filename, bytes } = await this.files.content(id, request, caller);
    // attachment() also sets a type by the file name's extension. Override this type, so that browsers do not render
    // the file.
    response
      .attachment(filename)
      .set({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' });
    await sendBytes(response, bytes);
  }
}
