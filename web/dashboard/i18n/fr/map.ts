import type { map as english } from '../en/map.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Le choix de la carte de toutes les pages. */
export const map: TextsOf<typeof english> = {
  'map.title': 'Carte',
  'map.settings': 'Réglages',
  'map.explanation':
    'Le fond de carte de toutes les traces, ici et sur les pages des spectateurs. Tant qu’aucun n’est choisi, les cartes montrent les contours des pays.',
  'map.kind': 'Ce que montrent les cartes',
  'map.kind.default': 'Le style défini sur ce serveur',
  'map.kind.outlines': 'Des contours',
  'map.kind.file': 'Un fichier de carte',
  'map.kind.style': 'Le style d’un fournisseur',
  'map.help.default': 'Défini par MAP_STYLE_URL à l’installation du serveur.',
  'map.help.outlines': 'Côtes et frontières seulement. Sans connexion à internet.',
  'map.help.file':
    'Une région d’OpenStreetMap, ou d’autres tuiles, dans un fichier PMTiles. Ce serveur le fournit lui-même, sans passer par un tiers.',
  'map.help.style': 'Un style MapLibre sur internet. Couvre le monde entier sans fichier.',
  'map.inUse': 'utilisé',

  'map.file': 'Fichier',
  'map.noFiles':
    'Aucun fichier pour l’instant. Envoyez-en un, ou déposez-le dans le dossier « maps » des données du serveur.',
  'map.format.vector': 'vectoriel',
  'map.format.raster': 'images',
  'map.zooms': 'zoom {{from}} à {{to}}',
  'map.inFolder': 'dans le dossier « maps »',
  'map.upload': 'Envoyer un fichier',
  'map.uploadHelp': 'PMTiles, {{size}} au plus : tuiles vectorielles au schéma Protomaps, ou images.',
  'map.uploading': 'Envoi de {{name}}',
  'map.tooLarge': 'Le fichier dépasse {{size}}. Déposez-le plutôt dans le dossier « maps » des données du serveur.',
  'map.fileMissing': 'Choisissez un fichier.',
  'map.deleteThis': 'Supprimer {{name}}',
  'map.delete': 'Supprimer le fichier',
  'map.deleteHelp': 'Le fichier est supprimé du serveur. Les pages ouvertes qui le montrent perdent leur carte.',
  'map.deleted': '{{name}} supprimé',
  'map.attributionText': 'Mention des sources',
  'map.attributionHelp': 'Affichée sur la carte : d’où viennent ses données.',
  'map.elevation': 'Ombrage du relief',
  'map.elevationHelp': 'Un fichier d’altitudes sous forme d’images, en codage Terrarium.',
  'map.elevationNone': 'Aucun',

  'map.fault.not-pmtiles': 'Ce n’est pas un fichier PMTiles.',
  'map.fault.version':
    'Ce fichier PMTiles est d’une ancienne version. Convertissez-le à la version 3 avec « pmtiles convert ».',
  'map.fault.format': 'Les tuiles de ce fichier sont dans un format que les navigateurs n’affichent pas.',
  'map.fault.broken': 'Ce fichier est endommagé. Créez-le à nouveau.',
  'map.fault.incomplete': 'Ce fichier est incomplet. Copiez-le ou téléchargez-le à nouveau.',
  'map.fault.empty': 'Ce fichier ne contient aucune tuile.',
  'map.fault.schema': 'Les tuiles vectorielles de ce fichier ne suivent pas le schéma Protomaps.',
  'map.fault.schema-version':
    'Ce fichier suit une ancienne version du schéma Protomaps. Découpez-le dans une version récente.',

  'map.openFreeMap': 'Utiliser OpenFreeMap',
  'map.styleUrl': 'Adresse du style',
  'map.styleUrlHelp':
    'Une adresse en https, avec la clé du fournisseur s’il en faut une. Toute personne qui voit la carte peut la lire.',
  'map.darkStyleUrl': 'Adresse du style pour le thème sombre',
  'map.darkStyleUrlHelp': 'Facultative. Sans elle, le premier style sert aux deux thèmes.',
  'map.thirdParty': 'Le fournisseur voit qui regarde',
  'map.thirdPartyHelp':
    'Les navigateurs de toutes les personnes qui ouvrent une carte, spectateurs compris, la chargent chez le fournisseur. Celui-ci apprend leurs adresses IP et les lieux qu’elles regardent. Un fichier de carte évite cela.',
  'map.styleLoading': 'Chargement du style…',
  'map.styleFailed':
    'Le style ne peut pas être chargé. Vérifiez l’adresse, et que le fournisseur autorise ce site à l’utiliser.',
  'map.styleHosts': 'Les navigateurs chargeront la carte depuis :',
  'map.styleMissing': 'Saisissez l’adresse https d’un style.',
  'map.styleUnchecked': 'Attendez que l’aperçu ait chargé le style. Seul un style qui se charge peut être choisi.',

  'map.preview': 'Aperçu',
  'map.previewLabel': 'Aperçu de la carte',
  'map.previewEmpty': 'Rien à montrer pour l’instant',
  'map.previewEmptyHelp': 'Choisissez un fichier ou saisissez l’adresse d’un style.',
  'map.saved': 'Enregistré. Les pages montreront la nouvelle carte à leur prochain chargement.',

  'map.notice': 'Les cartes ne montrent que des contours.',
  'map.noticeHelp': 'Choisissez une vraie carte : un fichier sur ce serveur, ou le style d’un fournisseur.',
  'map.noticeLink': 'Choisir une carte',
  'map.noticeDismiss': 'Masquer ce message',
}
