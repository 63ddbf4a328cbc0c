import type { errors as english } from '../en/errors.ts'
import type { TextsOf } from '../en/texts-of.ts'

/** Messages for failed requests. */
export const errors: TextsOf<typeof english> = {
  'error.unreachable': 'Le serveur ne répond pas. Vérifiez votre connexion et réessayez.',
  'error.invalid': 'Certaines informations saisies ne sont pas valides. Vérifiez-les et réessayez.',
  'error.signedOut': 'L’action n’a pas été effectuée, car votre session avait expiré. Connectez-vous et réessayez.',
  'error.forbidden': 'Cette action n’est pas autorisée.',
  'error.role': 'Votre rôle ne le permet pas. Un propriétaire peut le changer.',
  'error.unconfirmed': 'L’action n’a pas été effectuée, car vous n’avez pas confirmé votre identité.',
  'error.secondFactor': 'Configurez d’abord une deuxième étape.',
  'error.notFound': 'Ce que vous cherchez n’existe pas ou a été supprimé.',
  'error.conflict': 'Des modifications ont eu lieu entre-temps. Rechargez la page et réessayez.',
  'error.gone': 'Ce contenu n’est plus disponible.',
  'error.tooLarge': 'La requête est trop volumineuse.',
  'error.refused': 'Action impossible.',
  'error.tooMany': 'Trop de tentatives. Patientez un instant et réessayez.',
  'error.tooManyWait_one': 'Trop de tentatives. Réessayez dans {{count}} seconde.',
  'error.tooManyWait_many': 'Trop de tentatives. Réessayez dans {{count}} secondes.',
  'error.tooManyWait_other': 'Trop de tentatives. Réessayez dans {{count}} secondes.',
  'error.damaged':
    'Des points enregistrés de cette trace sont endommagés et illisibles. Les autres traces ne sont pas concernées. La personne qui gère le serveur peut les réparer à partir d’une sauvegarde avec admin storage repair.',
  'error.unavailable': 'Le serveur n’est pas encore prêt. Réessayez dans un instant.',
  'error.server': 'Erreur du serveur. Réessayez.',
  'error.serverWithId': 'Erreur du serveur. Réessayez. Le journal du serveur donne les détails sous {{requestId}}.',
  'error.unexpected': 'Un problème est survenu sur cette page. Rechargez-la.',
}
