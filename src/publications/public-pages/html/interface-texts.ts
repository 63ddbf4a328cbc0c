import type { InterfaceLanguage } from './language.ts'

/** The pages' own words. */
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
  withdrawn: string
  withdrawnDetail: string
  broken: string
  brokenDetail: string
  brokenRequest(id: string): string
}

const FAILURES_EN: Record<string, string> = {
  not_a_pdf: 'The file is not a PDF, or it is damaged beyond repair.',
  password_required: 'The file opens only with a password.',
  encryption_unsupported: 'The file is encrypted in a way that cannot be read here.',
  page_damaged: 'It is damaged in the file.',
  timed_out: 'Drawing it took too long.',
  out_of_memory: 'Drawing it took too much memory.',
}

const FAILURES_FR: Record<string, string> = {
  not_a_pdf: "Le fichier n'est pas un PDF, ou il est trop endommagé.",
  password_required: "Le fichier ne s'ouvre qu'avec un mot de passe.",
  encryption_unsupported: "Le fichier est chiffré d'une manière qui ne peut pas être lue ici.",
  page_damaged: 'Elle est endommagée dans le fichier.',
  timed_out: 'Son affichage a pris trop de temps.',
  out_of_memory: 'Son affichage a demandé trop de mémoire.',
}

const en: InterfaceTexts = {
  locale: 'en-GB',
  skipToPages: 'Skip to the pages',
  pageCount: (count) => (count === 1 ? '1 page' : `${count} pages`),
  publishedOn: (date) => `Published ${date}`,
  by: (author) => `By ${author}`,
  download: 'Download PDF',
  view: 'Show',
  viewPages: 'Pages',
  viewText: 'Text',
  contents: 'Contents',
  page: (label) => `Page ${label}`,
  pageOf: (page, count) => `Page ${page} of ${count}`,
  pageFailed: (page, reason) => `Page ${page} cannot be shown. ${reason}`,
  noText: 'There is no text on this page.',
  textToCome: 'The text of this page is being prepared.',
  textCut: 'This is the beginning of the text.',
  fullText: 'Read all of it',
  linkToPage: (page) => `To page ${page}`,
  parts: 'Parts of the document',
  previousPart: (from, to) => `Pages ${from} to ${to}`,
  nextPart: (from, to) => `Pages ${from} to ${to}`,
  openPublication: 'Open the publication',
  progress: (ready, count) => (count === 1 ? `${ready} of 1 page is ready.` : `${ready} of ${count} pages are ready.`),
  progressRest: 'The others appear by themselves.',
  failed: 'This document could not be prepared for reading',
  failedDetail: 'None of its pages could be drawn. The file itself can be downloaded.',
  failure: (code) => FAILURES_EN[code] ?? 'The PDF engine failed on it.',
  notFound: 'There is no publication here',
  notFoundDetail: 'The address may be misspelt, or what was here has been deleted.',
  withdrawn: 'This publication has been withdrawn',
  withdrawnDetail: 'Its publisher no longer makes it available at this address.',
  broken: 'The page cannot be shown at the moment',
  brokenDetail: 'Something is wrong on our side. Please try again shortly.',
  brokenRequest: (id) => `Request ${id}`,
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
  noText: "Il n'y a pas de texte sur cette page.",
  textToCome: 'Le texte de cette page est en préparation.',
  textCut: "C'est le début du texte.",
  fullText: 'Lire le texte entier',
  linkToPage: (page) => `Vers la page ${page}`,
  parts: 'Parties du document',
  previousPart: (from, to) => `Pages ${from} à ${to}`,
  nextPart: (from, to) => `Pages ${from} à ${to}`,
  openPublication: 'Ouvrir la publication',
  progress: (ready, count) =>
    ready < 2 ? `${ready} page sur ${count} est prête.` : `${ready} pages sur ${count} sont prêtes.`,
  progressRest: "Les autres apparaissent d'elles-mêmes.",
  failed: "Ce document n'a pas pu être préparé pour la lecture",
  failedDetail: "Aucune de ses pages n'a pu être affichée. Le fichier lui-même peut être téléchargé.",
  failure: (code) => FAILURES_FR[code] ?? 'Le moteur PDF a échoué.',
  notFound: "Il n'y a pas de publication à cette adresse",
  notFoundDetail: "L'adresse est peut-être mal écrite, ou ce qui s'y trouvait a été supprimé.",
  withdrawn: 'Cette publication a été retirée',
  withdrawnDetail: 'Son éditeur ne la met plus à disposition à cette adresse.',
  broken: 'La page ne peut pas être affichée pour le moment',
  brokenDetail: 'Le problème vient de notre côté. Merci de réessayer dans un instant.',
  brokenRequest: (id) => `Requête ${id}`,
}

const texts: Record<InterfaceLanguage, InterfaceTexts> = { en, fr }

export function interfaceTexts(language: InterfaceLanguage): InterfaceTexts {
  return texts[language]
}
