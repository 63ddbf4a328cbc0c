import type { InterfaceLanguage } from './language.ts'

/** The texts of the public pages' interface. */
export type InterfaceTexts = {
  locale: string
  skipToPages: string
  pageCount(count: number): string
  publishedOn(date: string): string
  by(author: string): string
  download: string
  view: string
  viewPages: string
  viewText: string
  contents: string
  page(label: string): string
  pageOf(page: number, count: number): string
  pageFailed(page: number, reason: string): string
  noText: string
  textToCome: string
  textCut: string
  fullText: string
  linkToPage(page: number): string
  parts: string
  previousPart(from: number, to: number): string
  nextPart(from: number, to: number): string
  openPublication: string
  progress(ready: number, count: number): string
  progressRest: string
  failed: string
  failedDetail: string
  failure(code: string): string
  notFound: string
  notFoundDetail: string
  unpublished: string
  unpublishedDetail: string
  broken: string
  brokenDetail: string
  brokenRequest(id: string): string
}

const FAILURES_EN: Record<string, string> = {
  not_a_pdf: 'The file is not a PDF or is damaged beyond repair.',
  password_required: 'The PDF is protected by a password.',
  encryption_unsupported: 'The encryption of the PDF is not supported.',
  page_damaged: 'The page is damaged in the PDF.',
  timed_out: 'Rendering took too long.',
  out_of_memory: 'Rendering needed too much memory.',
}

const FAILURES_FR: Record<string, string> = {
  not_a_pdf: 'Le fichier n’est pas un PDF ou est trop endommagé.',
  password_required: 'Le PDF est protégé par un mot de passe.',
  encryption_unsupported: 'Le chiffrement du PDF n’est pas pris en charge.',
  page_damaged: 'La page est endommagée dans le PDF.',
  timed_out: 'Le rendu a pris trop de temps.',
  out_of_memory: 'Le rendu a demandé trop de mémoire.',
}

const en: InterfaceTexts = {
  locale: 'en-GB',
  skipToPages: 'Skip to pages',
  pageCount: (count) => (count === 1 ? '1 page' : `${count} pages`),
  publishedOn: (date) => `Published ${date}`,
  by: (author) => `By ${author}`,
  download: 'Download PDF',
  view: 'View',
  viewPages: 'Pages',
  viewText: 'Text',
  contents: 'Contents',
  page: (label) => `Page ${label}`,
  pageOf: (page, count) => `Page ${page} of ${count}`,
  pageFailed: (page, reason) => `Page ${page} can’t be displayed. ${reason}`,
  noText: 'This page has no text.',
  textToCome: 'The text of this page is being prepared.',
  textCut: 'Only the beginning of the text is shown.',
  fullText: 'Read the full text',
  linkToPage: (page) => `Go to page ${page}`,
  parts: 'Parts of the document',
  previousPart: (from, to) => `Pages ${from}–${to}`,
  nextPart: (from, to) => `Pages ${from}–${to}`,
  openPublication: 'Open publication',
  progress: (ready, count) => (count === 1 ? `${ready} of 1 page is ready.` : `${ready} of ${count} pages are ready.`),
  progressRest: 'The rest will appear automatically.',
  failed: 'This document could not be prepared',
  failedDetail: 'None of its pages could be rendered. You can still download the file.',
  failure: (code) => FAILURES_EN[code] ?? 'The PDF could not be processed.',
  notFound: 'Publication not found',
  notFoundDetail: 'The address may be wrong, or the publication may have been deleted.',
  unpublished: 'This publication is no longer available',
  unpublishedDetail: 'Its publisher has unpublished it.',
  broken: 'This page can’t be displayed right now',
  brokenDetail: 'Something went wrong on our side. Please try again shortly.',
  brokenRequest: (id) => `Request ID: ${id}`,
}

const fr: InterfaceTexts = {
  locale: 'fr',
  skipToPages: 'Aller aux pages',
  pageCount: (count) => (count === 1 ? '1 page' : `${count} pages`),
  publishedOn: (date) => `Publié le ${date}`,
  by: (author) => `Par ${author}`,
  download: 'Télécharger le PDF',
  view: 'Afficher',
  viewPages: 'Pages',
  viewText: 'Texte',
  contents: 'Sommaire',
  page: (label) => `Page ${label}`,
  pageOf: (page, count) => `Page ${page} sur ${count}`,
  pageFailed: (page, reason) => `La page ${page} ne peut pas être affichée. ${reason}`,
  noText: 'Cette page ne contient pas de texte.',
  textToCome: 'Le texte de cette page est en préparation.',
  textCut: 'Seul le début du texte est affiché.',
  fullText: 'Lire le texte intégral',
  linkToPage: (page) => `Aller à la page ${page}`,
  parts: 'Parties du document',
  previousPart: (from, to) => `Pages ${from} à ${to}`,
  nextPart: (from, to) => `Pages ${from} à ${to}`,
  openPublication: 'Ouvrir la publication',
  progress: (ready, count) =>
    ready < 2 ? `${ready} page sur ${count} est prête.` : `${ready} pages sur ${count} sont prêtes.`,
  progressRest: 'Les autres apparaîtront automatiquement.',
  failed: 'Ce document n’a pas pu être préparé',
  failedDetail: 'Aucune de ses pages n’a pu être affichée. Vous pouvez toujours télécharger le fichier.',
  failure: (code) => FAILURES_FR[code] ?? 'Le PDF n’a pas pu être traité.',
  notFound: 'Publication introuvable',
  notFoundDetail: 'L’adresse est peut-être erronée, ou la publication a été supprimée.',
  unpublished: 'Cette publication n’est plus disponible',
  unpublishedDetail: 'Son éditeur l’a retirée.',
  broken: 'Cette page ne peut pas être affichée pour le moment',
  brokenDetail: 'Un problème est survenu de notre côté. Veuillez réessayer dans un instant.',
  brokenRequest: (id) => `Identifiant de la requête\u00a0: ${id}`,
}

const texts: Record<InterfaceLanguage, InterfaceTexts> = { en, fr }

export function interfaceTexts(language: InterfaceLanguage): InterfaceTexts {
  return texts[language]
}
