import { Module } from '@nestjs/common';
import { ImagesController } from './images.controller.js';
import { ImagesService } from './images.service.js';

/** Lets a caller generate images from a text prompt. */
@Module({ controllers: [ImagesController], providers: [ImagesService] })
export class ImagesModule {}
