import type { TextsOf } from '../en/texts-of.ts'
import type { workspaces as english } from '../en/workspaces.ts'

/** Workspaces and their keys. */
export const workspaces: TextsOf<typeof english> = {
  'workspaces.title': 'Espaces de travail',
  'workspaces.new': 'Nouvel espace de travail',
  'workspaces.empty': 'Pas encore d’espace de travail',
  'workspaces.emptyHelp':
    'Un espace de travail réunit les publications d’une équipe ou d’un site. Créez-en un, puis déposez-y des fichiers PDF, ou publiez depuis un programme avec sa clé.',
  'workspaces.publications_one': '{{figure}} publication',
  'workspaces.publications_other': '{{figure}} publications',
  'workspaces.publications': '{{figure}} publications',
  'workspaces.processing_one': '{{figure}} en préparation',
  'workspaces.processing_other': '{{figure}} en préparation',
  'workspaces.processing': '{{figure}} en préparation',
  'workspaces.since': 'Créé le {{date}}',

  'workspace.name': 'Nom',
  'workspace.nameHelp': 'Visible des seuls opérateurs.',
  'workspace.nameMissing': 'Saisissez un nom',
  'workspace.create': 'Créer l’espace de travail',
  'workspace.created': '{{name}} est prêt',
  'workspace.createdHelp':
    'Téléversez des fichiers dans la bibliothèque, ou donnez cette clé à un programme qui publie. Vous la retrouverez sous Clé API.',
  'workspace.toLibrary': 'Vers la bibliothèque',
  'workspace.parts': 'Parties de l’espace de travail',
  'workspace.library': 'Bibliothèque',
  'workspace.key': 'Clé API',
  'workspace.settings': 'Réglages',
  'workspace.delete': 'Supprimer l’espace de travail',
  'workspace.deleteHelp':
    'Ses publications, fichiers, chiffres de lecture et clés disparaissent avec lui. Toutes ses pages publiques cessent aussitôt d’exister, sans retour possible.',
  'workspace.deleteCounts': '{{publications}} : tout disparaîtra définitivement, avec les pages publiques.',
  'workspace.deleted': '{{name}} est supprimé',

  'key.key': 'Clé API',
  'key.explanation':
    'Avec cette clé, un programme publie dans cet espace de travail et en modifie le contenu. Gardez-la pour vous.',
  'key.since': 'Depuis le {{time}}',
  'key.none': 'Il n’y a pas de clé. Aucun programme ne peut publier dans cet espace de travail.',
  'key.show': 'Afficher la clé',
  'key.hide': 'Masquer la clé',
  'key.make': 'Créer une clé',
  'key.cannotShow':
    'Cette clé a été créée sous un autre secret du serveur et ne peut pas être affichée. Elle fonctionne encore.',
  'key.rotate': 'Remplacer la clé',
  'key.rotateHelp':
    'Une nouvelle clé remplace celle qui existe. Laissez vivre l’ancienne quelque temps, pour que les programmes puissent changer.',
  'key.rotateSubmit': 'Créer la nouvelle clé',
  'key.rotated': 'La nouvelle clé est prête',
  'key.keep': 'L’ancienne clé se termine',
  'key.ending': 'Clés qui se terminent',
  'key.curlTicket': 'Pour essayer : demander une adresse de téléversement',
  'key.curlUpload': 'Téléverser un fichier',
  'key.curlCreate': 'Le publier',
}
