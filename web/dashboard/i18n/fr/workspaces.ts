import type { TextsOf } from '../en/texts-of.ts'
import type { workspaces as english } from '../en/workspaces.ts'

/** Workspaces and their keys. */
export const workspaces: TextsOf<typeof english> = {
  'workspaces.title': 'Espaces de travail',
  'workspaces.new': 'Nouvel espace de travail',
  'workspaces.empty': 'Aucun espace de travail pour l’instant',
  'workspaces.emptyHelp':
    'Un espace de travail contient les publications d’une équipe ou d’un site. Créez-en un, puis déposez-y des fichiers PDF, ou laissez un programme y publier avec une clé API.',
  'workspaces.publications_one': '{{figure}} publication',
  'workspaces.publications_many': '{{figure}} publications',
  'workspaces.publications_other': '{{figure}} publications',
  'workspaces.processing': '{{figure}} en préparation',
  'workspaces.since': 'Créé le {{date}}',

  'workspace.nameHelp': 'Visible uniquement par les opérateurs.',
  'workspace.create': 'Créer l’espace de travail',
  'workspace.created': '{{name}} est prêt',
  'workspace.createdHelp':
    'Importez des fichiers dans la bibliothèque, ou donnez cette clé à un programme qui publie. Vous la retrouverez sous Clé API.',
  'workspace.toLibrary': 'Ouvrir la bibliothèque',
  'workspace.parts': 'Pages de l’espace de travail',
  'workspace.library': 'Bibliothèque',
  'workspace.key': 'Clé API',
  'workspace.webhooks': 'Webhooks',
  'workspace.settings': 'Paramètres',
  'workspace.maxMegabytes': 'Stockage maximal en Mo',
  'workspace.maxPublications': 'Nombre maximal de publications',
  'workspace.saveLimits': 'Enregistrer les limites',
  'workspace.delete': 'Supprimer l’espace de travail',
  'workspace.deleteHelp':
    'Supprime aussi ses publications, ses fichiers, ses statistiques de lecture et ses clés. Toutes ses pages publiques disparaissent immédiatement. Cette action est irréversible.',
  'workspace.deleteCounts': 'Suppression définitive : {{publications}}, avec toutes les pages publiques.',
  'workspace.deleted': '{{name}} : suppression effectuée',

  'key.key': 'Clé API',
  'key.explanation':
    'Les programmes utilisent cette clé pour publier dans cet espace de travail et modifier ses publications. Gardez-la secrète.',
  'key.since': 'Créée le {{time}}',
  'key.none': 'Il n’y a pas de clé. Les programmes ne peuvent pas publier dans cet espace de travail.',
  'key.show': 'Afficher la clé',
  'key.hide': 'Masquer la clé',
  'key.make': 'Créer une clé',
  'key.cannotShow':
    'Cette clé a été créée avec un autre secret du serveur et ne peut pas être affichée. Elle fonctionne toujours.',
  'key.rotate': 'Remplacer la clé',
  'key.rotateHelp':
    'Une nouvelle clé remplace l’actuelle. Gardez l’ancienne valable quelque temps, pour laisser aux programmes le temps de changer.',
  'key.rotateSubmit': 'Créer la nouvelle clé',
  'key.rotated': 'La nouvelle clé est prête',
  'key.overlap': 'L’ancienne clé expire',
  'key.ending': 'Clés qui expirent',
  'key.curlTicket': 'Pour essayer : demander une adresse d’import',
  'key.curlUpload': 'Importer un fichier',
  'key.curlCreate': 'Le publier',
  'keys.title': 'Autres clés',
  'keys.explanation':
    'Des clés pour d’autres programmes, comme un site qui liste seulement les publications. Chacune peut être révoquée seule.',
  'keys.create': 'Nouvelle clé',
  'keys.createSubmit': 'Créer cette clé',
  'keys.new': 'Votre nouvelle clé',
  'keys.none': 'Il n’y a pas d’autre clé.',
  'keys.labelHelp': 'Facultatif. Vous aide à reconnaître la clé.',
  'keys.permission.publish': 'Publier',
  'keys.permission.read': 'Lire',
  'keys.permissionHelp.publish': 'Accès complet à cet espace de travail.',
  'keys.permissionHelp.read': 'Lister les publications.',
  'keys.showThis': 'Afficher la clé : {{name}}',
  'keys.revokeThis': 'Révoquer la clé : {{name}}',
  'keys.revokeHelp':
    'Les programmes qui l’utilisent sont refusés dès leur prochaine requête. Ce qu’ils ont publié reste.',
  'keys.revoked': 'Clé révoquée',
}
