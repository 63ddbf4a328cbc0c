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
  /** Before the description of a figure. */
  figure: string
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
  busy: string
  busyDetail: string
  search: string
  searchDocument: string
  found(query: string): string
  hits(hits: number, pages: number): string
  searchedSoFar(pages: number, count: number): string
  nothingToSearch: string
  notSearched: Record<'limited' | 'busy' | 'failed', string>
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
  pageFailed: (page, reason) => `Page ${page} could not be displayed. ${reason}`,
  noText: 'This page has no text.',
  textToCome: 'The text of this page is being prepared.',
  textCut: 'Only the beginning of the text is shown.',
  fullText: 'Read the full text',
  figure: 'Figure:',
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
  broken: 'This page could not be displayed',
  brokenDetail: 'Something went wrong on our side. Please try again shortly.',
  brokenRequest: (id) => `Request ID: ${id}`,
  busy: 'The server is busy',
  busyDetail: 'Too many pages are being requested at once. Please try again in a few seconds.',
  search: 'Search',
  searchDocument: 'Search this document',
  found: (query) => `Search results for “${query}”`,
  hits: (hits, pages) =>
    hits === 0
      ? 'No matches.'
      : `${hits} ${hits === 1 ? 'match' : 'matches'} on ${pages} ${pages === 1 ? 'page' : 'pages'}.`,
  searchedSoFar: (pages, count) => `${pages} of ${count} pages can be searched so far.`,
  nothingToSearch: 'This document has no text to search: its pages are images, such as scans.',
  notSearched: {
    limited: 'Too many requests have come from your network. Please try again in a few seconds.',
    busy: 'Too many searches are waiting. Please try again in a few seconds.',
    failed: 'The search failed on our side. Please try again shortly.',
  },
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
  pageFailed: (page, reason) => `La page ${page} n’a pas pu s’afficher. ${reason}`,
  noText: 'Cette page ne contient pas de texte.',
  textToCome: 'Le texte de cette page est en préparation.',
  textCut: 'Seul le début du texte est affiché.',
  fullText: 'Lire le texte intégral',
  figure: 'Figure\u00a0:',
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
  broken: 'Cette page n’a pas pu s’afficher',
  brokenDetail: 'Un problème est survenu de notre côté. Veuillez réessayer dans un instant.',
  brokenRequest: (id) => `Identifiant de la requête\u00a0: ${id}`,
  busy: 'Le serveur est surchargé',
  busyDetail: 'Trop de pages sont demandées en même temps. Veuillez réessayer dans quelques secondes.',
  search: 'Rechercher',
  searchDocument: 'Rechercher dans le document',
  found: (query) => `Résultats pour «\u00a0${query}\u00a0»`,
  hits: (hits, pages) =>
    hits === 0
      ? 'Aucun résultat.'
      : `${hits} ${hits === 1 ? 'résultat' : 'résultats'} sur ${pages} ${pages === 1 ? 'page' : 'pages'}.`,
  searchedSoFar: (pages, count) =>
    `Recherche possible pour l’instant dans ${pages} ${pages < 2 ? 'page' : 'pages'} sur ${count}.`,
  nothingToSearch: 'Ce document ne contient pas de texte\u00a0: ses pages sont des images, par exemple numérisées.',
  notSearched: {
    limited: 'Trop de requêtes proviennent de votre réseau. Veuillez réessayer dans quelques secondes.',
    busy: 'Trop de recherches sont en attente. Veuillez réessayer dans quelques secondes.',
    failed: 'La recherche a échoué de notre côté. Veuillez réessayer dans un instant.',
  },
}

const texts: Record<InterfaceLanguage, InterfaceTexts> = { en, fr }

export function interfaceTexts(language: InterfaceLanguage): InterfaceTexts {
  return texts[language]
}
