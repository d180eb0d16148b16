import { acceptData } from '../../../../src/store/dataset.ts';
import { type AdminRoute, answered } from './route.ts';

/** Accepts an empty Redis after its data was lost for good. */
export const acceptDataRoute: AdminRoute = {
  method: 'POST',
  path: '/admin/data/accept',
  role: 'admin',
  operationId: 'acceptData',
  summary: 'Go on with the data that Redis has now',
  description:
    'After Redis came back empty (`data_gone`), or one master of a cluster did, and no backup can be restored. Every process goes on within two seconds with what is there, and unknown members are `member_not_found` again. Where nothing is missing this changes nothing.',
  answerSchema: 'Dataset',
  async handle(administration) {
    const dataset = await acceptData(administration.current().store);
    return answered({ dataset }, { audit: { dataset } });
  },
};
