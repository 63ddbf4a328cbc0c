import type { uploads as english } from '../en/uploads.ts'
import type { TextsOf } from '../texts-of.ts'

/** Uploads, and why a file is refused. */
export const uploads: TextsOf<typeof english> = {
  'upload.choose': 'Téléverser des PDF',
  'upload.dropHere': 'Déposez des fichiers PDF pour les publier',
  'upload.title': 'Téléversements',
  'upload.clear': 'Effacer ce qui est fini',
  'upload.waiting': 'En attente de son tour',
  'upload.sent': '{{sent}} envoyés ({{percent}} %)',
  'upload.opening': 'Le serveur ouvre le fichier',
  'upload.done': 'Publié',
  'upload.notRendered': 'Téléversé, mais aucune page n’a pu être préparée',
  'upload.progressOf': 'Téléversement de {{name}}',
  'upload.cancel': 'Annuler',
  'upload.cancelThis': 'Annuler le téléversement de {{name}}',
  'upload.remove': 'Retirer',
  'upload.removeThis': 'Retirer {{name}} de la liste',
  'upload.retryThis': 'Réessayer {{name}}',
  'upload.announced': 'Téléversements : {{done}} terminés sur {{all}}, {{failed}} en échec',
  'upload.tooLarge': 'Le fichier est trop grand : {{limit}} au plus sont permis ici.',
  'upload.empty': 'Le fichier est vide.',
  'upload.taken': 'Il y a déjà un fichier à cet endroit, et les fichiers ne sont jamais écrasés.',
  'upload.workspaceGone': 'L’espace de travail ou la publication n’existe plus.',

  'refused.not_a_pdf': 'Le fichier n’est pas un PDF, ou il est irrémédiablement endommagé.',
  'refused.password_required':
    'Le fichier ne s’ouvre qu’avec un mot de passe. Enregistrez-le sans mot de passe et recommencez.',
  'refused.encryption_unsupported': 'Le fichier est chiffré d’une manière qui n’est pas prise en charge.',
  'refused.no_pages': 'Le fichier n’a aucune page.',
  'refused.too_many_pages': 'Le fichier a plus de pages qu’il n’est permis ici.',
  'refused.page_damaged': 'La page est endommagée et ne peut pas être lue.',
  'refused.timed_out': 'Cela a pris trop de temps.',
  'refused.out_of_memory': 'Il a fallu trop de mémoire.',
  'refused.crashed': 'Le moteur PDF a échoué.',
}
