import { describeAgainstModel } from "./fileSystemModel.suite";
import { tempFs } from "./tempFs";

describeAgainstModel("tempFs", (files) => tempFs(files));
