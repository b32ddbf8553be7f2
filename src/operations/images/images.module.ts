import { Module } from '@nestjs/common';
import { FilesModule } from '../../files/files.module.js';
import { PublicAddress } from '../../http/edge/service-address.js';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

/** Lets a caller generate and edit images with a text prompt. */
@Module({ imports: [FilesModule], controllers: [ImagesController], providers: [ImagesService, PublicAddress] })
export class ImagesModule {}
